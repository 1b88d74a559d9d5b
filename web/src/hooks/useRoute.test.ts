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
      expect(parse(conversationPath(id, { anchor: "m&1", panel: "summary" }))).toEqual({
        page: "chat",
        conversationId: id,
        anchor: "m&1",
        panel: "summary",
      });
    }
  });

  it("parses the other pages", () => {
    expect(parse("/")).toMatchObject({ page: "chat", conversationId: null });
    expect(parse("/memories?q=x")).toEqual({ page: "memories" });
    expect(parse("/c/")).toEqual({ page: "unknown" });
    expect(parse("/c/1/more")).toEqual({ page: "unknown" });
  });

  it("accepts a broken escape and an unknown panel", () => {
    expect(parseUrl("/c/%E0%A4%A", "?panel=nonsense")).toMatchObject({
      conversationId: "%E0%A4%A",
      panel: null,
    });
  });
});
