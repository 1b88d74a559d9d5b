import type { Mode, Section } from "../../api/types";
import { useReceiptTexts } from "./texts";

export function useSectionNames(mode: Mode): Readonly<Record<Section, string>> {
  const { sections, tailInFull } = useReceiptTexts();
  return mode === "full" ? { ...sections, tail: tailInFull } : sections;
}
