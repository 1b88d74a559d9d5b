import type { Mode, Section } from "../../api/types";
import { useTexts } from "../../texts/texts";
import { texts as receiptTexts } from "./texts";

/** With the full context, what is otherwise the tail is the whole history. */
export function useSectionNames(mode: Mode): Readonly<Record<Section, string>> {
  const { sections, tailInFull } = useTexts(receiptTexts);
  return mode === "full" ? { ...sections, tail: tailInFull } : sections;
}
