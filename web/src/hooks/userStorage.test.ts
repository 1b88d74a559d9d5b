// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { clearUserStorage, setStorageOwner, onStorageCleared } from "./userStorage";

const draft = "recollect.draft.new";

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem("recollect.preferences", '{"theme":"dark"}');
  localStorage.setItem("somebody.else", "1");
});

describe("userStorage", () => {
  it("keeps data for the same user and clears it for another", () => {
    const listener = vi.fn();
    const unsubscribe = onStorageCleared(listener);
    setStorageOwner("anna");
    localStorage.setItem(draft, '"Dear diary"');
    setStorageOwner("anna");
    expect(localStorage.getItem(draft)).toBe('"Dear diary"');
    setStorageOwner("bruno");
    expect(localStorage.getItem(draft)).toBeNull();
    expect(listener).toHaveBeenCalledTimes(1);
    unsubscribe();
  });

  it("clears everything but the preferences", () => {
    setStorageOwner("anna");
    localStorage.setItem(draft, '"Dear diary"');
    clearUserStorage();
    expect(Object.keys(localStorage).sort()).toEqual(["recollect.preferences", "somebody.else"]);
  });
});
