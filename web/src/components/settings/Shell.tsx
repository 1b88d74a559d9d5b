import { CopyButton } from "../ui/CopyButton";

/** Something to be copied to the letter: a command, a key. */
export function Shell({ text, label }: { text: string; label: string }) {
  return (
    <div className="shell">
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} />
    </div>
  );
}
