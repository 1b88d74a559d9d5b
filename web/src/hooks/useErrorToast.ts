import { useCallback } from "react";
import { ApiError } from "../api/error";
import { useCommonTexts } from "../i18n/common";
import { errorMessage } from "../i18n/errorMessage";
import { useToast } from "./useToast";

/** Returns the error, or null. Errors other than `ApiError` are thrown. */
type WithErrorToast = (promise: Promise<unknown>) => Promise<ApiError | null>;

/** Shows a toast if a request fails. */
export function useErrorToast(): WithErrorToast {
  const texts = useCommonTexts();
  const showToast = useToast();

  return useCallback(
    async (promise: Promise<unknown>) => {
      try {
        await promise;
        return null;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        showToast({ text: errorMessage(error, texts), isError: true });
        return error;
      }
    },
    [showToast, texts],
  );
}
