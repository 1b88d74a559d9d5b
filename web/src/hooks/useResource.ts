import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "../api/error";

type Load<T> = (signal: AbortSignal) => Promise<T | null>;

interface State<T> {
  value: T | null;
  error: ApiError | null;
  isLoading: boolean;
}

export interface Resource<T> extends State<T> {
  /** Loads again; the value stays meanwhile. */
  reload: () => void;
  /** Sets the value, for example to the response of an update. */
  set: (value: T) => void;
}

/**
 * Loads a value from the server. `load` must be memoized: a new function loads another value, and
 * the old one is cleared, unless `keepPrevious` is set.
 */
export function useResource<T>(load: Load<T>, { keepPrevious = false } = {}): Resource<T> {
  const [state, setState] = useState<State<T> & { load: Load<T> }>(() => ({ load, ...INITIAL_STATE }));
  const [attempt, setAttempt] = useState(0);
  const request = useRef<{ load: Load<T>; abort: () => void } | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    request.current = { load, abort: () => controller.abort() };
    setState(({ load: last, value }) => ({
      load,
      ...INITIAL_STATE,
      value: last === load || keepPrevious ? value : null,
    }));
    load(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setState({ load, value, error: null, isLoading: false });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setState((old) => ({ ...old, error, isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [load, attempt, keepPrevious]);

  const reload = useCallback(() => setAttempt((old) => old + 1), []);
  const set = useCallback(
    (value: T) => {
      if (request.current?.load !== load) return;
      request.current.abort(); // its result may be older
      setState({ load, value, error: null, isLoading: false });
    },
    [load],
  );

  const { value, error, isLoading } = state;
  const current = state.load === load ? { value, error, isLoading } : INITIAL_STATE;
  return { ...current, value: keepPrevious ? value : current.value, reload, set };
}

const INITIAL_STATE = { value: null, error: null, isLoading: true };
