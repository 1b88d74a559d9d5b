import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "../api/error";

type Load<T> = (signal: AbortSignal) => Promise<T | null>;

interface State<T> {
  value: T | null;
  error: ApiError | null;
  isLoading: boolean;
}

export interface Resource<T> extends State<T> {
  /** Reads it again; what is there stays until then. */
  reload: () => void;
  /** Takes over what a change has answered. */
  set: (value: T) => void;
}

/**
 * One thing that is read from the server. `load` is memoized: a new one means another thing, which
 * has no value until it is read. With `keepsLast` the last thing's value stands in for it.
 */
export function useResource<T>(load: Load<T>, { keepsLast = false } = {}): Resource<T> {
  const [kept, setKept] = useState<State<T> & { load: Load<T> }>(() => ({ load, ...nothingYet }));
  const [attempt, setAttempt] = useState(0);
  const reading = useRef<{ load: Load<T>; stop: () => void } | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    reading.current = { load, stop: () => controller.abort() };
    setKept(({ load: last, value }) => ({
      load,
      ...nothingYet,
      value: last === load || keepsLast ? value : null,
    }));
    load(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setKept({ load, value, error: null, isLoading: false });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setKept((old) => ({ ...old, error, isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [load, attempt, keepsLast]);

  const reload = useCallback(() => setAttempt((old) => old + 1), []);
  const set = useCallback(
    (value: T) => {
      if (reading.current?.load !== load) return;
      reading.current.stop(); // it may have been read before the change
      setKept({ load, value, error: null, isLoading: false });
    },
    [load],
  );

  const { value, error, isLoading } = kept;
  const state = kept.load === load ? { value, error, isLoading } : nothingYet;
  return { ...state, value: keepsLast ? value : state.value, reload, set };
}

const nothingYet = { value: null, error: null, isLoading: true };
