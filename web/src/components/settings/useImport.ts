import { useRef, useState } from "react";
import { importFile, type ImportReport } from "../../api/data";
import { publishChange } from "../../api/dataChanges";
import { ApiError } from "../../api/error";

type Import =
  | { state: "none" | "cancelled" }
  /** `share` is the uploaded part of the file. */
  | { state: "running"; share: number }
  | { state: "done"; report: ImportReport }
  | { state: "failed"; error: ApiError };

/** Runs one import at a time; it can be cancelled. */
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
      // A cancelled import may have stored some data.
      publishChange({ kind: "conversations" });
      publishChange({ kind: "memories" });
    }
  };

  return {
    current,
    start,
    reject: (error: ApiError) => setCurrent({ state: "failed", error }),
    cancel: () => abort.current.abort(),
  };
}
