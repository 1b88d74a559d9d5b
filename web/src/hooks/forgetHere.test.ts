// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { forgetHere, keepFor, onForgotten } from "./forgetHere";

const draft = "recollect.draft.new";

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem("recollect.preferences", '{"theme":"dark"}');
  localStorage.setItem("somebody.else", "1");
});

describe("what a browser keeps", () => {
  it("outlives a session of the same user, and nobody else's", () => {
    const listener = vi.fn();
    const stop = onForgotten(listener);
    keepFor("anna");
    localStorage.setItem(draft, '"Dear diary"');
    keepFor("anna");
    expect(localStorage.getItem(draft)).toBe('"Dear diary"');
    keepFor("bruno");
    expect(localStorage.getItem(draft)).toBeNull();
    expect(listener).toHaveBeenCalledTimes(1);
    stop();
  });

  it("goes with the user, but for how the page looks", () => {
    keepFor("anna");
    localStorage.setItem(draft, '"Dear diary"');
    forgetHere();
    expect(Object.keys(localStorage).sort()).toEqual(["recollect.preferences", "somebody.else"]);
  });
});
