import { useCallback, useEffect, useState } from "react";
import { onUnauthorized } from "../api/client";
import { ApiError } from "../api/error";
import { getMe } from "../api/identity";
import type { Me } from "../api/types";
import { setStorageOwner } from "./userStorage";

type Identity =
  | { state: "loading" }
  | { state: "signed-out" }
  | { state: "signed-in"; me: Me }
  | { state: "failed"; error: ApiError };

/** The signed-in user. Any 401 response signs out. */
export function useIdentity(): { identity: Identity; reload: () => void } {
  const [identity, setIdentity] = useState<Identity>({ state: "loading" });
  const [attempt, setAttempt] = useState(0);

  useEffect(() => onUnauthorized(() => setIdentity({ state: "signed-out" })), []);

  useEffect(() => {
    const controller = new AbortController();
    getMe(controller.signal).then(
      (me) => {
        setStorageOwner(me.user_id);
        setIdentity({ state: "signed-in", me });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        if (error.status !== 401) setIdentity({ state: "failed", error });
      },
    );
    return () => controller.abort();
  }, [attempt]);

  const reload = useCallback(() => {
    setIdentity({ state: "loading" });
    setAttempt((old) => old + 1);
  }, []);

  return { identity, reload };
}
