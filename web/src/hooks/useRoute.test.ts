import { describe, expect, it } from "vitest";
import { conversationPath, parseAddress } from "./useRoute";

const parse = (address: string) => {
  const { pathname, search } = new URL(address, "http://localhost");
  return parseAddress(pathname, search);
};

describe("parseAddress", () => {
  it("reads back what conversationPath wrote", () => {
    for (const id of ["0199a1b2-0000-7000-8000-000000000001", "a/b ?", "è"]) {
      expect(parse(conversationPath(id))).toMatchObject({ conversationId: id, panel: null });
      expect(parse(conversationPath(id, { place: "m&1", panel: "summary" }))).toEqual({
        page: "chat",
        conversationId: id,
        place: "m&1",
        panel: "summary",
      });
    }
  });

  it("knows the other pages", () => {
    expect(parse("/")).toMatchObject({ page: "chat", conversationId: null });
    expect(parse("/memories?q=x")).toEqual({ page: "memories" });
    expect(parse("/c/")).toEqual({ page: "unknown" });
    expect(parse("/c/1/more")).toEqual({ page: "unknown" });
  });

  it("survives a broken escape and an unknown panel", () => {
    expect(parseAddress("/c/%E0%A4%A", "?panel=nonsense")).toMatchObject({
      conversationId: "%E0%A4%A",
      panel: null,
    });
  });
});
