// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EditableTitle } from "./EditableTitle";

const save = vi.fn<(title: string) => Promise<void>>(async () => undefined);
const withTitle = (title: string) => <EditableTitle title={title} hint={null} onSave={save} />;

/** Starts editing, then changes the title from outside. */
function edit(): HTMLElement {
  const { rerender } = render(withTitle("Untitled"));
  fireEvent.click(screen.getByRole("button"));
  rerender(withTitle("A week in Lisbon"));
  return screen.getByRole("textbox");
}

afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

describe("EditableTitle", () => {
  it("saves nothing if nothing was typed, even if the title changed meanwhile", () => {
    fireEvent.blur(edit());
    expect(save).not.toHaveBeenCalled();
    expect(screen.getByRole("heading").textContent).toBe("A week in Lisbon");
  });

  it("saves the typed title", () => {
    const field = edit();
    fireEvent.change(field, { target: { value: " Portugal " } });
    fireEvent.blur(field);
    expect(save).toHaveBeenCalledExactlyOnceWith("Portugal");
  });
});
