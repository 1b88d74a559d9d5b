import { expect, it, vi } from "vitest";
import { Leaving } from "./leaving";

it("tells whoever looks what has left, and what has come back", () => {
  const leaving = new Leaving();
  const listener = vi.fn();
  const stop = leaving.subscribe(listener);
  leaving.add("a");
  const before = leaving.getIds();
  leaving.add("b");
  leaving.delete("a");
  expect([...before]).toEqual(["a"]);
  expect([...leaving.getIds()]).toEqual(["b"]);
  expect(listener).toHaveBeenCalledTimes(3);
  stop();
  leaving.add("c");
  expect(listener).toHaveBeenCalledTimes(3);
});
