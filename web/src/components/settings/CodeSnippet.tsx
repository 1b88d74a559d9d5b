import { CopyButton } from "../ui/CopyButton";

/** A command or key with a copy button. */
export function CodeSnippet({ text, label }: { text: string; label: string }) {
  return (
    <div className="code-snippet">
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} />
    </div>
  );
}
