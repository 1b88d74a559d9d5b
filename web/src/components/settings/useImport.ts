import { useRef, useState } from "react";
import { announce } from "../../api/changes";
import { importFile, type ImportReport } from "../../api/data";
import { ApiError } from "../../api/error";

type Import =
  | { state: "none" | "cancelled" }
  /** `share` is how much of the file has been sent. */
  | { state: "running"; share: number }
  | { state: "done"; report: ImportReport }
  | { state: "failed"; error: ApiError };

/** One import at a time, which can be broken off. */
export function useImport() {
  const [current, setCurrent] = useState<Import>({ state: "none" });
  const abort = useRef(new AbortController());

  const start = async (file: File) => {
    const controller = new AbortController();
    abort.current = controller;
    setCurrent({ state: "running", share: 0 });
    try {
      const report = await importFile(file, {
        onProgress: (share) => setCurrent({ state: "running", share }),
        signal: controller.signal,
      });
      setCurrent({ state: "done", report });
    } catch (error) {
      if (controller.signal.aborted) setCurrent({ state: "cancelled" });
      else if (error instanceof ApiError) setCurrent({ state: "failed", error });
      else throw error;
    } finally {
      // Also of a file that was not read to its end, something may be there.
      announce({ kind: "conversations" });
      announce({ kind: "memories" });
    }
  };

  return {
    current,
    start,
    refuse: (error: ApiError) => setCurrent({ state: "failed", error }),
    cancel: () => abort.current.abort(),
  };
}
