import { expect, it } from "vitest";
import { titleOrTopic } from "./title";

it("returns the topic if there is no title", () => {
  expect(titleOrTopic({ title: "Lisbon", topic: "Trams in Lisbon" })).toBe("Lisbon");
  expect(titleOrTopic({ title: null, topic: "Hi there!" })).toBe("Hi there!");
  expect(titleOrTopic({ title: " ", topic: " " })).toBeNull();
  expect(titleOrTopic({ title: null, topic: null })).toBeNull();
});
