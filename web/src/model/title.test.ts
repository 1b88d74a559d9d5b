import { expect, it } from "vitest";
import { nameOf } from "./title";

it("tells a conversation without a title by how it began", () => {
  expect(nameOf({ title: "Lisbon", topic: "Trams in Lisbon" })).toBe("Lisbon");
  expect(nameOf({ title: null, topic: "Hi there!" })).toBe("Hi there!");
  expect(nameOf({ title: " ", topic: " " })).toBeNull();
  expect(nameOf({ title: null, topic: null })).toBeNull();
});
