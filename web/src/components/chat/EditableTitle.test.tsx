// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EditableTitle } from "./EditableTitle";

const save = vi.fn<(title: string) => Promise<void>>(async () => undefined);
const titled = (title: string) => <EditableTitle title={title} hint={null} onSave={save} />;

/** Begins to edit, and lets the title of its own arrive meanwhile. */
function edit(): HTMLElement {
  const { rerender } = render(titled("Untitled"));
  fireEvent.click(screen.getByRole("button"));
  rerender(titled("A week in Lisbon"));
  return screen.getByRole("textbox");
}

afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

describe("EditableTitle", () => {
  it("saves nothing where nothing was typed, whatever title has come meanwhile", () => {
    fireEvent.blur(edit());
    expect(save).not.toHaveBeenCalled();
    expect(screen.getByRole("heading").textContent).toBe("A week in Lisbon");
  });

  it("saves what was typed", () => {
    const field = edit();
    fireEvent.change(field, { target: { value: " Portugal " } });
    fireEvent.blur(field);
    expect(save).toHaveBeenCalledExactlyOnceWith("Portugal");
  });
});
