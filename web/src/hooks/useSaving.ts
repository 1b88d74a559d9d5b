import { useCallback, useRef, useState } from "react";
import { ApiError } from "../api/error";

interface Saving<A extends unknown[]> {
  isSaving: boolean;
  error: ApiError | null;
  /** Does nothing while the last one is on its way. */
  save: (...given: A) => Promise<void>;
}

/** One change at a time that is sent to the server, and what became of it. */
export function useSaving<A extends unknown[]>(
  send: (...given: A) => Promise<void> | void,
): Saving<A> {
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  // Two clicks may come before the page is drawn again.
  const isUnderWay = useRef(false);

  const save = useCallback(
    async (...given: A) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      setSaving(true);
      setError(null);
      try {
        await send(...given);
      } catch (caught) {
        if (!(caught instanceof ApiError)) throw caught;
        setError(caught);
      } finally {
        isUnderWay.current = false;
        setSaving(false);
      }
    },
    [send],
  );

  return { isSaving, error, save };
}
