import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { useCommonTexts } from "../../i18n/common";
import { IconButton } from "./IconButton";

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  className?: string;
}

/** A modal dialog, open while it is rendered. The browser traps the focus. */
export function Dialog({ title, onClose, children, className = "" }: Props) {
  const texts = useCommonTexts();
  const box = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isPressedOutside = useRef(false);

  // A layout effect closes the dialog before it is removed: only then the browser restores the focus.
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    // Focus the first control of the content, not the close button.
    const first = ".dialog-content > :not(.dialog-header) :is(input, select, textarea, button)";
    const hasAutofocus = document.activeElement?.hasAttribute("autofocus");
    if (!hasAutofocus) dialog?.querySelector<HTMLElement>(first)?.focus();
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
      // Selecting text and releasing the pointer outside must not close the dialog.
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

/** Ref for the element to focus in a dialog. React's `autoFocus` runs before the dialog opens. */
export function autofocus(element: HTMLElement | null): void {
  element?.setAttribute("autofocus", "");
}
