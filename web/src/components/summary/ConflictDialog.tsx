import type { Summary } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { exactTime } from "../../model/dateFormat";
import { sideOf } from "../../model/summaryDiff";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { DiffText } from "./DiffText";
import { useSummaryTexts } from "./texts";
import { useWordDiff } from "./useWordDiff";

interface Props {
  theirs: Summary;
  mine: string;
  isPending: boolean;
  onOverwrite: () => void;
  onUseTheirs: () => void;
  onKeepEditing: () => void;
}

/** Compares the user's text with a version saved meanwhile. */
export function ConflictDialog(props: Props) {
  const { theirs, mine, isPending, onOverwrite, onUseTheirs, onKeepEditing } = props;
  const texts = useSummaryTexts();
  const { locale } = useLocale();
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
        <Button className="quiet" onClick={onKeepEditing}>{texts.keepEditing}</Button>
        <Button onClick={onUseTheirs}>{texts.useTheirs}</Button>
        <Button className="primary" aria-disabled={isPending} onClick={onOverwrite}>
          {isPending ? texts.saving : texts.overwrite}
        </Button>
      </div>
    </Dialog>
  );
}
