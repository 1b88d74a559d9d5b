import { useId, type ReactNode } from "react";

interface Props {
  title: string;
  hint: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function SettingsSection({ title, hint, actions, children }: Props) {
  const id = useId();
  return (
    <section className="settings-section" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <p className="hint">{hint}</p>
        {actions}
      </header>
      <div className="settings-content">{children}</div>
    </section>
  );
}
