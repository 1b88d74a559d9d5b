import type { ApiError } from "../api/error";
import type { common } from "./common";
import type { Language } from "./texts";

/** What went wrong: in the server's words, or in the page's where the server had none. */
export function sayError(error: ApiError, { errors }: (typeof common)[Language]): string {
  switch (error.fault) {
    case "unreachable":
    case "unreadable":
      return errors[error.fault];
    case "refused":
      return errors.refused(error.status);
    case null:
      return error.message;
  }
}
