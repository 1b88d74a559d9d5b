import { describe, expect, it } from "vitest";
import { conversationPath, parseUrl } from "./useRoute";

const parse = (url: string) => {
  const { pathname, search } = new URL(url, "http://localhost");
  return parseUrl(pathname, search);
};

describe("parseUrl", () => {
  it("parses what conversationPath returns", () => {
    for (const id of ["0199a1b2-0000-7000-8000-000000000001", "a/b ?", "è"]) {
      expect(parse(conversationPath(id))).toMatchObject({ conversationId: id, panel: null });
      const options = { anchor: "m&1", passage: { start: 0, end: 2 ** 31 - 1 }, panel: "summary" } as const;
      expect(parse(conversationPath(id, options))).toEqual({
        page: "chat",
        conversationId: id,
        ...options,
      });
    }
  });

  it("parses the other pages", () => {
    expect(parse("/")).toMatchObject({ page: "chat", conversationId: null });
    expect(parse("/memories?q=x")).toEqual({ page: "memories" });
    expect(parse("/c/")).toEqual({ page: "unknown" });
    expect(parse("/c/1/more")).toEqual({ page: "unknown" });
  });

  it("accepts a broken escape, an unknown panel and a broken passage", () => {
    expect(parseUrl("/c/%E0%A4%A", "?panel=nonsense&m=1&p=2-x")).toMatchObject({
      conversationId: "%E0%A4%A",
      anchor: "1",
      passage: null,
      panel: null,
    });
  });
});
