import { Fragment } from "react";
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
        const words = text.trim();
        const [before, after] = words === "" ? ["", ""] : text.split(words, 2);
        return (
          <Fragment key={place}>
            {before}
            <Mark>
              <span className="visually-hidden"> [{texts[kind]}: </span>
              {words || text}
              <span className="visually-hidden">] </span>
            </Mark>
            {after}
          </Fragment>
        );
      })}
    </p>
  );
}
