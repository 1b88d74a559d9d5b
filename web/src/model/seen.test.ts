import { describe, expect, it } from "vitest";
import { isUnseen, merge, see, type Seen } from "./seen";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 16, 9, minute)).toISOString();
const fresh: Seen = { since: at(0), until: {} };

describe("isUnseen", () => {
  it("takes no notice of what was there before, and of what has been looked at", () => {
    expect(isUnseen(fresh, "a", at(0))).toBe(false);
    expect(isUnseen(fresh, "a", at(1))).toBe(true);
    const seen = see(fresh, "a", at(2));
    expect(isUnseen(seen, "a", at(2))).toBe(false);
    expect(isUnseen(seen, "a", at(3))).toBe(true);
    expect(isUnseen(seen, "b", at(1))).toBe(true);
  });
});

describe("merge", () => {
  it("has seen what either tab has", () => {
    const one = see(see(fresh, "a", at(5)), "b", at(1));
    const other = see(see(fresh, "a", at(2)), "c", at(3));
    expect(merge(one, other)).toEqual(merge(other, one));
    expect(merge(one, other).until).toEqual({ a: at(5), b: at(1), c: at(3) });
  });

  it("keeps the newest few hundred, and counts as seen what is older", () => {
    let seen = fresh;
    for (let minute = 1; minute <= 400; minute += 1) seen = see(seen, `c${minute}`, at(minute));
    expect(Object.keys(seen.until)).toHaveLength(300);
    expect(seen.since).toBe(at(100));
    expect(isUnseen(seen, "c50", at(50))).toBe(false);
    expect(isUnseen(seen, "c50", at(401))).toBe(true);
    expect(isUnseen(seen, "c400", at(400))).toBe(false);
  });
});
