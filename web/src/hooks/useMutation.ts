import { useCallback, useRef, useState } from "react";
import { ApiError } from "../api/error";

interface Mutation<A extends unknown[]> {
  isPending: boolean;
  error: ApiError | null;
  /** Does nothing while a request is pending. */
  mutate: (...args: A) => Promise<void>;
}

/** Sends one change at a time, and returns its state. */
export function useMutation<A extends unknown[]>(
  send: (...args: A) => Promise<void> | void,
): Mutation<A> {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  // State is too slow: two clicks may come before the next render.
  const isRunning = useRef(false);

  const mutate = useCallback(
    async (...args: A) => {
      if (isRunning.current) return;
      isRunning.current = true;
      setPending(true);
      setError(null);
      try {
        await send(...args);
      } catch (caught) {
        if (!(caught instanceof ApiError)) throw caught;
        setError(caught);
      } finally {
        isRunning.current = false;
        setPending(false);
      }
    },
    [send],
  );

  return { isPending, error, mutate };
}
