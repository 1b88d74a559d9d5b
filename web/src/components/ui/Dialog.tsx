import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { IconButton } from "./IconButton";

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  className?: string;
}

/** A window above the page, for as long as it is rendered. The browser keeps the focus inside. */
export function Dialog({ title, onClose, children, className = "" }: Props) {
  const texts = useTexts(common);
  const box = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isPressedOutside = useRef(false);

  // Before it leaves the page: only then does the browser give the focus back to where it was.
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    // Not on the button that closes it, which comes first.
    const first = ".dialog-content > :not(.dialog-header) :is(input, select, textarea, button)";
    const isChosen = document.activeElement?.hasAttribute("autofocus");
    if (!isChosen) dialog?.querySelector<HTMLElement>(first)?.focus();
    return () => dialog?.close();
  }, []);

  return (
    <dialog
      ref={box}
      className={`dialog ${className}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A selection that is drawn beyond the edge ends outside, and is no wish to close.
      onPointerDown={(event) => {
        isPressedOutside.current = event.target === box.current;
      }}
      onClick={(event) => {
        if (event.target === box.current && isPressedOutside.current) onClose();
      }}
    >
      <div className="dialog-content">
        <header className="dialog-header">
          <h2 id={titleId}>{title}</h2>
          <IconButton icon="close" label={texts.close} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
