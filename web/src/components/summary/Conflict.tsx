import type { Summary } from "../../api/types";
import { sideOf } from "../../model/summary";
import { exactTime } from "../../model/time";
import { useSpeech, useTexts } from "../../texts/texts";
import { Dialog } from "../ui/Dialog";
import { DiffText } from "./DiffText";
import { texts as summaryTexts } from "./texts";
import { useWordDiff } from "./useWordDiff";

interface Props {
  theirs: Summary;
  mine: string;
  isSaving: boolean;
  onOverwrite: () => void;
  onTakeTheirs: () => void;
  onKeepEditing: () => void;
}

/** Two texts for one place: side by side, with what only one of them says marked in each. */
export function Conflict(props: Props) {
  const { theirs, mine, isSaving, onOverwrite, onTakeTheirs, onKeepEditing } = props;
  const texts = useTexts(summaryTexts);
  const { locale } = useSpeech();
  const parts = useWordDiff(theirs.text, mine);
  const author = texts.authors[theirs.author];
  return (
    <Dialog className="wide" title={texts.conflict} onClose={onKeepEditing}>
      <p className="hint">{texts.conflictHint}</p>
      <div className="conflict-sides">
        <section aria-labelledby="conflict-theirs">
          <h3 id="conflict-theirs">{texts.theirs(theirs.version.toLocaleString(locale))}</h3>
          <p className="hint">
            {author} · {exactTime(theirs.created_at, locale)}
          </p>
          <DiffText parts={parts && sideOf(parts, "before")} />
        </section>
        <section aria-labelledby="conflict-mine">
          <h3 id="conflict-mine">{texts.mine}</h3>
          <p className="hint">{texts.unsaved}</p>
          <DiffText parts={parts && sideOf(parts, "after")} />
        </section>
      </div>
      <div className="actions">
        <button type="button" className="button quiet" onClick={onKeepEditing}>
          {texts.keepEditing}
        </button>
        <button type="button" className="button" onClick={onTakeTheirs}>
          {texts.takeTheirs}
        </button>
        <button
          type="button"
          className="button primary"
          aria-disabled={isSaving}
          onClick={onOverwrite}
        >
          {isSaving ? texts.saving : texts.overwrite}
        </button>
      </div>
    </Dialog>
  );
}
