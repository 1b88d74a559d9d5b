import { describe, expect, it } from "vitest";
import { ApiError } from "../api/error";
import { common } from "./common";
import { sayError } from "./sayError";

describe("sayError", () => {
  it("leaves the server's words as they are", () => {
    expect(sayError(new ApiError(409, "The version is stale."), common.it)).toBe(
      "The version is stale.",
    );
  });

  it("speaks the reader's language where the server said nothing", async () => {
    const refused = await ApiError.fromResponse(new Response("<h1>Bad</h1>", { status: 502 }));
    expect(sayError(ApiError.unreachable(), common.it)).toContain("non è raggiungibile");
    expect(sayError(ApiError.unreadable(200), common.it)).toContain("illeggibile");
    expect(sayError(refused, common.it)).toBe("Il server ha risposto con lo stato 502.");
    expect(sayError(refused, common.en)).toBe(refused.message);
  });
});
