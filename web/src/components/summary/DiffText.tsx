import type { DiffPart } from "../../model/summary";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { Loading } from "../ui/Loading";
import { texts as summaryTexts } from "./texts";

/** A text with its changes marked: by line and colour, and in words for those who listen. */
export function DiffText({ parts }: { parts: readonly DiffPart[] | null }) {
  const texts = useTexts(summaryTexts);
  const { loading } = useTexts(common);
  if (parts === null) return <Loading label={loading} />;
  return (
    <p className="diff">
      {parts.map(({ kind, text }, place) => {
        if (kind === "same") return <span key={place}>{text}</span>;
        const Mark = kind === "added" ? "ins" : "del";
        return (
          <Mark key={place}>
            <span className="visually-hidden"> [{texts[kind]}: </span>
            {text}
            <span className="visually-hidden">] </span>
          </Mark>
        );
      })}
    </p>
  );
}
