import { useEffect, type ReactNode } from "react";
import { Icon } from "../ui/Icon";
import { Link } from "../ui/Link";
import { useLayoutTexts } from "./texts";

interface Props {
  title: string;
  /** Line below the title. */
  subtitle?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** Layout of the pages other than the chat. */
export function PageLayout({ title, subtitle, actions, children }: Props) {
  const texts = useLayoutTexts();

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
          {subtitle && <p className="hint">{subtitle}</p>}
        </div>
        {actions && <div className="pane-actions">{actions}</div>}
      </header>
      <div className="page-content">
        <div className="page-column">{children}</div>
      </div>
    </section>
  );
}
