import { useEffect, type ReactNode } from "react";
import { Icon } from "../ui/Icon";
import { Link } from "../ui/Link";
import { useTexts } from "../../texts/texts";
import { texts as frameTexts } from "./texts";

interface Props {
  title: string;
  /** One line below the title. */
  lead?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page beside the sidebar that is no conversation: its header, and what scrolls below. */
export function PageFrame({ title, lead, actions, children }: Props) {
  const texts = useTexts(frameTexts);

  useEffect(() => {
    document.title = `${title} · Recollect`;
  }, [title]);

  return (
    <section className="pane" aria-label={title}>
      <header className="pane-header">
        <Link className="back" href="/" aria-label={texts.back}>
          <Icon name="back" />
        </Link>
        <div className="pane-heading">
          <h1>{title}</h1>
          {lead && <p className="hint">{lead}</p>}
        </div>
        {actions && <div className="pane-actions">{actions}</div>}
      </header>
      <div className="page-content">
        <div className="page-column">{children}</div>
      </div>
    </section>
  );
}
