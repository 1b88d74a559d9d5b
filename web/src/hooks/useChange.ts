import { useEffect } from "react";
import { onChange, type Change } from "../api/changes";

/** Calls `listener` when this page, or another tab of it, has changed something. */
export function useChange(listener: (change: Change) => void): void {
  useEffect(() => onChange(listener), [listener]);
}
