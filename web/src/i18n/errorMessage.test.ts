import { describe, expect, it } from "vitest";
import { ApiError } from "../api/error";
import * as common from "./common";
import { errorMessage } from "./errorMessage";

describe("errorMessage", () => {
  it("returns the server's message unchanged", () => {
    expect(errorMessage(new ApiError(409, "The version is stale."), common.it)).toBe(
      "The version is stale.",
    );
  });

  it("translates errors without a server message", async () => {
    const noDetail = await ApiError.fromResponse(new Response("<h1>Bad</h1>", { status: 502 }));
    expect(errorMessage(ApiError.unreachable(), common.it)).toContain("non è raggiungibile");
    expect(errorMessage(ApiError.unreadable(200), common.it)).toContain("illeggibile");
    expect(errorMessage(noDetail, common.it)).toBe("Il server ha risposto con lo stato 502.");
    expect(errorMessage(noDetail, common.en)).toBe(noDetail.message);
  });
});
