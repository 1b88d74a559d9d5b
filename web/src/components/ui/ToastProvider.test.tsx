// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useFlushToasts, useToast } from "../../hooks/useToast";
import { ToastProvider } from "./ToastProvider";

const undo = vi.fn();
const onDismiss = vi.fn<() => Promise<void>>();
let flush: () => Promise<void>;

function Page() {
  const showToast = useToast();
  flush = useFlushToasts();
  const action = { label: "Undo", onSelect: undo };
  return (
    <main id="main" tabIndex={-1}>
      <button onClick={() => showToast({ text: "Deleted.", action, onDismiss })}>Delete</button>
    </main>
  );
}

/** Renders the whole page again, like a navigation. */
function App() {
  const [visits, setVisits] = useState(0);
  return (
    <ToastProvider>
      <button onClick={() => setVisits(visits + 1)}>Go on {visits}</button>
      <Page />
    </ToastProvider>
  );
}

const click = (name: RegExp | string) => fireEvent.click(screen.getByRole("button", { name }));
const advance = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

beforeEach(() => {
  vi.useFakeTimers();
  onDismiss.mockResolvedValue();
  render(<App />);
});

afterEach(() => {
  cleanup();
  vi.clearAllMocks();
  vi.useRealTimers();
});

describe("ToastProvider", () => {
  it("closes after its time, even if the page renders meanwhile", async () => {
    click("Delete");
    for (let visits = 0; visits < 3; visits += 1) {
      await advance(1_900);
      click(/Go on/);
    }
    expect(onDismiss).not.toHaveBeenCalled();
    await advance(400);
    expect(onDismiss).toHaveBeenCalledTimes(1);
    expect(screen.queryByText("Deleted.")).toBeNull();
    await advance(60_000);
    expect(onDismiss).toHaveBeenCalledTimes(1);
  });

  it("stays open while it has the pointer or the focus", async () => {
    click("Delete");
    const toast = screen.getByText("Deleted.").parentElement as HTMLElement;
    const button = screen.getByRole("button", { name: "Undo" });
    fireEvent.pointerEnter(toast);
    act(() => button.focus());
    fireEvent.pointerLeave(toast);
    await advance(60_000);
    expect(onDismiss).not.toHaveBeenCalled();
    act(() => screen.getByRole("main").focus());
    await advance(6_000);
    expect(onDismiss).toHaveBeenCalledTimes(1);
  });

  it("returns the focus when it closes", () => {
    const origin = screen.getByRole("button", { name: "Delete" });
    origin.focus();
    click("Delete");
    act(() => screen.getByRole("button", { name: "Undo" }).focus());
    click("Undo");
    expect(document.activeElement).toBe(origin);
    expect(undo).toHaveBeenCalledTimes(1);
    expect(onDismiss).not.toHaveBeenCalled();
  });

  it("runs pending dismissals at once on flush", async () => {
    let finish: () => void = () => undefined;
    onDismiss.mockReturnValue(new Promise((resolve) => (finish = resolve)));
    click("Delete");
    let isFlushed = false;
    await act(async () => {
      void flush().then(() => (isFlushed = true));
    });
    expect(onDismiss).toHaveBeenCalledTimes(1);
    expect(isFlushed).toBe(false);
    await act(async () => finish());
    expect(isFlushed).toBe(true);
    window.dispatchEvent(new Event("pagehide"));
    expect(onDismiss).toHaveBeenCalledTimes(1);
  });
});
