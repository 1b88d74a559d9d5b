import { expect, it, vi } from "vitest";
import { PendingDeletions } from "./pendingDeletions";

it("notifies subscribers of added and removed ids", () => {
  const pending = new PendingDeletions();
  const listener = vi.fn();
  const stop = pending.subscribe(listener);
  pending.add("a");
  const before = pending.getIds();
  pending.add("b");
  pending.delete("a");
  expect([...before]).toEqual(["a"]);
  expect([...pending.getIds()]).toEqual(["b"]);
  expect(listener).toHaveBeenCalledTimes(3);
  stop();
  pending.add("c");
  expect(listener).toHaveBeenCalledTimes(3);
});
