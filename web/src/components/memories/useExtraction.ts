import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "../../api/error";
import type { Conversation } from "../../api/types";
import type { Memories } from "../../hooks/useMemories";
import * as model from "../../model/extraction";

interface ExtractionControls {
  /** Null before the start. */
  run: model.Extraction | null;
  start: (queue: readonly Conversation[]) => void;
  cancel: () => void;
}

/** Extracts memories from conversations one after another; stops on unmount. */
export function useExtraction(extract: Memories["extractMemories"]): ExtractionControls {
  const [run, setRun] = useState<model.Extraction | null>(null);
  const abort = useRef(new AbortController());

  useEffect(() => () => abort.current.abort(), []);

  const start = useCallback(
    (queue: readonly Conversation[]) => {
      const controller = new AbortController();
      abort.current = controller;
      void extractAll(queue, extract, controller.signal, setRun);
    },
    [extract],
  );
  const cancel = useCallback(() => {
    abort.current.abort();
    setRun((old) => old && model.cancelExtraction(old));
  }, []);

  return { run, start, cancel };
}

async function extractAll(
  queue: readonly Conversation[],
  extract: Memories["extractMemories"],
  signal: AbortSignal,
  onStep: (run: model.Extraction) => void,
): Promise<void> {
  let run = model.startExtraction(queue);
  onStep(run);
  for (const { id } of queue) {
    try {
      run = model.addFound(run, await extract(id, signal));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      run = model.addFailure(run, error);
    }
    if (signal.aborted) return;
    onStep(run);
  }
}
