import { describe, expect, it } from "vitest";
import { isUnread, mergeReadState, markRead, type ReadState } from "./readState";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 16, 9, minute)).toISOString();
const fresh: ReadState = { since: at(0), until: {} };

describe("isUnread", () => {
  it("ignores old activity and conversations that were read", () => {
    expect(isUnread(fresh, "a", at(0))).toBe(false);
    expect(isUnread(fresh, "a", at(1))).toBe(true);
    const state = markRead(fresh, "a", at(2));
    expect(isUnread(state, "a", at(2))).toBe(false);
    expect(isUnread(state, "a", at(3))).toBe(true);
    expect(isUnread(state, "b", at(1))).toBe(true);
  });
});

describe("mergeReadState", () => {
  it("combines two tabs", () => {
    const one = markRead(markRead(fresh, "a", at(5)), "b", at(1));
    const other = markRead(markRead(fresh, "a", at(2)), "c", at(3));
    expect(mergeReadState(one, other)).toEqual(mergeReadState(other, one));
    expect(mergeReadState(one, other).until).toEqual({ a: at(5), b: at(1), c: at(3) });
  });

  it("keeps the newest 300 conversations", () => {
    let state = fresh;
    for (let minute = 1; minute <= 400; minute += 1) state = markRead(state, `c${minute}`, at(minute));
    expect(Object.keys(state.until)).toHaveLength(300);
    expect(state.since).toBe(at(100));
    expect(isUnread(state, "c50", at(50))).toBe(false);
    expect(isUnread(state, "c50", at(401))).toBe(true);
    expect(isUnread(state, "c400", at(400))).toBe(false);
  });
});
