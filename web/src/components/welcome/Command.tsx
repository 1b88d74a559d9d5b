import { useState } from "react";
import type { Me } from "../api/types";

interface Props {
  me: Me;
  path: string;
  body: unknown;
}

/** A curl command that works as it stands, apart from the key, which the page does not know. */
export function Command({ me, path, body }: Props) {
  const [isCopied, setCopied] = useState(false);
  const command = [
    `curl ${window.location.origin}${path}`,
    ...(me.mode === "local" ? [] : ["-H 'Authorization: Bearer YOUR_KEY'"]),
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(body)}'`,
  ].join(" \\\n  ");

  const copy = () => navigator.clipboard.writeText(command).then(() => setCopied(true));

  return (
    <div className="command">
      <pre tabIndex={0} aria-label="Command">
        <code>{command}</code>
      </pre>
      {window.isSecureContext && (
        <button type="button" className="button quiet" onClick={copy}>
          {isCopied ? "Copied" : "Copy"}
        </button>
      )}
    </div>
  );
}
