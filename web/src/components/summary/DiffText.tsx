import { Fragment } from "react";
import type { DiffPart } from "../../model/summaryDiff";
import { Loading } from "../ui/Loading";
import { useSummaryTexts } from "./texts";

/** A text with marked changes, which screen readers announce. */
export function DiffText({ parts }: { parts: readonly DiffPart[] | null }) {
  const texts = useSummaryTexts();
  if (parts === null) return <Loading />;
  return (
    <p className="diff">
      {parts.map(({ kind, text }, index) => {
        if (kind === "same") return <span key={index}>{text}</span>;
        const Mark = kind === "added" ? "ins" : "del";
        const words = text.trim();
        const [before, after] = words === "" ? ["", ""] : text.split(words, 2);
        return (
          <Fragment key={index}>
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
