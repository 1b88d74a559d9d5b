/**
 * A ref for what has the focus when a dialog opens. React's `autoFocus` comes before the dialog is
 * shown, which then looks for the attribute itself.
 */
export function wantsFocus(element: HTMLElement | null): void {
  element?.setAttribute("autofocus", "");
}
