// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useSettling, useToasts } from "../../hooks/useToasts";
import { Toasts } from "./Toasts";

const undo = vi.fn();
const gone = vi.fn<() => Promise<void>>();
let settle: () => Promise<void>;

function Page() {
  const tell = useToasts();
  settle = useSettling();
  const action = { label: "Undo", onSelect: undo };
  return (
    <main id="main" tabIndex={-1}>
      <button onClick={() => tell({ text: "Deleted.", action, onGone: gone })}>Delete</button>
    </main>
  );
}

/** Drawn again as a whole, as when somebody goes to another page. */
function App() {
  const [visits, setVisits] = useState(0);
  return (
    <Toasts>
      <button onClick={() => setVisits(visits + 1)}>Go on {visits}</button>
      <Page />
    </Toasts>
  );
}

const press = (name: RegExp | string) => fireEvent.click(screen.getByRole("button", { name }));
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

beforeEach(() => {
  vi.useFakeTimers();
  gone.mockResolvedValue();
  render(<App />);
});

afterEach(() => {
  cleanup();
  vi.clearAllMocks();
  vi.useRealTimers();
});

describe("Toasts", () => {
  it("lets the time to undo run out, whatever else is drawn meanwhile", async () => {
    press("Delete");
    for (let visits = 0; visits < 3; visits += 1) {
      await pass(1_900);
      press(/Go on/);
    }
    expect(gone).not.toHaveBeenCalled();
    await pass(400);
    expect(gone).toHaveBeenCalledTimes(1);
    expect(screen.queryByText("Deleted.")).toBeNull();
    await pass(60_000);
    expect(gone).toHaveBeenCalledTimes(1);
  });

  it("waits while the pointer or the focus is on it, each for itself", async () => {
    press("Delete");
    const toast = screen.getByText("Deleted.").parentElement as HTMLElement;
    const button = screen.getByRole("button", { name: "Undo" });
    fireEvent.pointerEnter(toast);
    act(() => button.focus());
    fireEvent.pointerLeave(toast);
    await pass(60_000);
    expect(gone).not.toHaveBeenCalled();
    act(() => screen.getByRole("main").focus());
    await pass(6_000);
    expect(gone).toHaveBeenCalledTimes(1);
  });

  it("gives the focus back when it goes", () => {
    const origin = screen.getByRole("button", { name: "Delete" });
    origin.focus();
    press("Delete");
    act(() => screen.getByRole("button", { name: "Undo" }).focus());
    press("Undo");
    expect(document.activeElement).toBe(origin);
    expect(undo).toHaveBeenCalledTimes(1);
    expect(gone).not.toHaveBeenCalled();
  });

  it("does at once what was put off, for whoever leaves", async () => {
    let finish: () => void = () => undefined;
    gone.mockReturnValue(new Promise((resolve) => (finish = resolve)));
    press("Delete");
    let isSettled = false;
    await act(async () => {
      void settle().then(() => (isSettled = true));
    });
    expect(gone).toHaveBeenCalledTimes(1);
    expect(isSettled).toBe(false);
    await act(async () => finish());
    expect(isSettled).toBe(true);
    window.dispatchEvent(new Event("pagehide"));
    expect(gone).toHaveBeenCalledTimes(1);
  });
});
