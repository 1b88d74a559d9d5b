import { describe, expect, it } from "vitest";
import { conversationPath, parsePath } from "./useRoute";

describe("parsePath", () => {
  it("reads back what conversationPath wrote", () => {
    for (const id of ["0199a1b2-0000-7000-8000-000000000001", "a/b ?", "è"]) {
      expect(parsePath(conversationPath(id)).conversationId).toBe(id);
    }
  });

  it("survives a broken escape and other paths", () => {
    expect(parsePath("/c/%E0%A4%A").conversationId).toBe("%E0%A4%A");
    expect(parsePath("/").conversationId).toBeNull();
    expect(parsePath("/c/").conversationId).toBeNull();
    expect(parsePath("/c/1/more").conversationId).toBeNull();
  });
});
