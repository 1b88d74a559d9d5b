import { useCallback, useEffect, useState } from "react";
import { ApiError } from "../api/error";

export interface Resource<T> {
  value: T | null;
  error: ApiError | null;
  isLoading: boolean;
  /** Reads it again; what is there stays until then. */
  reload: () => void;
  /** Takes over what a change has answered. */
  set: (value: T) => void;
}

/** One thing that is read from the server. `load` is memoized: a new one means another thing. */
export function useResource<T>(load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const [state, setState] = useState<Pick<Resource<T>, "value" | "error" | "isLoading">>({
    value: null,
    error: null,
    isLoading: true,
  });
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const controller = new AbortController();
    setState((old) => ({ ...old, isLoading: true, error: null }));
    load(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setState({ value, error: null, isLoading: false });
      },
      (error: unknown) => {
        if (controller.signal.aborted || !(error instanceof ApiError)) return;
        setState((old) => ({ ...old, error, isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [load, attempt]);

  const reload = useCallback(() => setAttempt((old) => old + 1), []);
  const set = useCallback((value: T) => setState({ value, error: null, isLoading: false }), []);

  return { ...state, reload, set };
}
