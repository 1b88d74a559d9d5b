import { useCallback } from "react";
import { ApiError } from "../api/error";
import { common } from "../texts/common";
import { sayError } from "../texts/sayError";
import { useTexts } from "../texts/texts";
import { useToasts } from "./useToasts";

/** Answers with what went wrong, or with nothing. Only what is no `ApiError` is thrown on. */
type Trying = (doing: Promise<unknown>) => Promise<ApiError | null>;

/** Tells the reader in passing when something has failed. */
export function useTrying(): Trying {
  const texts = useTexts(common);
  const tell = useToasts();

  return useCallback(
    async (doing: Promise<unknown>) => {
      try {
        await doing;
        return null;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        tell({ text: sayError(error, texts), isError: true });
        return error;
      }
    },
    [tell, texts],
  );
}
