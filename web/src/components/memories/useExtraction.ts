import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "../../api/error";
import type { Conversation } from "../../api/types";
import type { Memories } from "../../hooks/useMemories";
import * as model from "../../model/extraction";

interface Running {
  /** None until something is read. */
  run: model.Extraction | null;
  start: (queue: readonly Conversation[]) => void;
  cancel: () => void;
}

/** Reads conversations one after the other; whoever leaves stops it. */
export function useExtraction(extract: Memories["extractMemories"]): Running {
  const [run, setRun] = useState<model.Extraction | null>(null);
  const abort = useRef(new AbortController());

  useEffect(() => () => abort.current.abort(), []);

  const start = useCallback(
    (queue: readonly Conversation[]) => {
      const controller = new AbortController();
      abort.current = controller;
      void readAll(queue, extract, controller.signal, setRun);
    },
    [extract],
  );
  const cancel = useCallback(() => {
    abort.current.abort();
    setRun((old) => old && model.cancelled(old));
  }, []);

  return { run, start, cancel };
}

async function readAll(
  queue: readonly Conversation[],
  extract: Memories["extractMemories"],
  signal: AbortSignal,
  onStep: (run: model.Extraction) => void,
): Promise<void> {
  let run = model.begin(queue);
  onStep(run);
  for (const { id } of queue) {
    try {
      run = model.withFound(run, await extract(id, signal));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      run = model.withFailure(run, error);
    }
    if (signal.aborted) return;
    onStep(run);
  }
}
