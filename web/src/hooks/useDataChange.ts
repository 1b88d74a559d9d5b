import { useEffect } from "react";
import { onDataChange, type DataChange } from "../api/dataChanges";

export function useDataChange(listener: (change: DataChange) => void): void {
  useEffect(() => onDataChange(listener), [listener]);
}
