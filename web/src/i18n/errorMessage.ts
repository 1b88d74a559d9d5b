import type { ApiError } from "../api/error";
import type { CommonTexts } from "./common";

/** Returns the server's message, or a translated one if the server sent none. */
export function errorMessage(error: ApiError, { errors }: CommonTexts): string {
  switch (error.kind) {
    case "unreachable":
    case "unreadable":
      return errors[error.kind];
    case "no-detail":
      return errors.noDetail(error.status);
    case null:
      return error.message;
  }
}
