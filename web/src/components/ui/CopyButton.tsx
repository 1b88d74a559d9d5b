import { useEffect, useState } from "react";
import { useCommonTexts } from "../../i18n/common";
import { IconButton } from "./IconButton";

/** Hidden over plain http, where browsers do not allow copying. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const texts = useCommonTexts();
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
