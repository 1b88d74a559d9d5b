import { useEffect, useState } from "react";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { IconButton } from "./IconButton";

/** Not there where the browser lets nobody copy: on pages that came over plain http. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const texts = useTexts(common);
  const [isCopied, setCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = window.setTimeout(() => setCopied(false), 2_000);
    return () => window.clearTimeout(timer);
  }, [isCopied]);

  if (!window.isSecureContext) return null;
  return (
    <IconButton
      icon={isCopied ? "check" : "copy"}
      label={isCopied ? texts.copied : (label ?? texts.copy)}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    />
  );
}
