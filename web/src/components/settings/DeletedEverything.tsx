import type { DeletedUserCounts } from "../../api/data";
import { told } from "../../model/told";
import { useTexts } from "../../texts/texts";
import { Counts } from "./Counts";
import { texts as settingsTexts } from "./texts";

/** The receipt of a deletion. */
export function DeletedEverything({
  deleted,
  onDone,
}: {
  deleted: DeletedUserCounts;
  onDone: () => void;
}) {
  const texts = useTexts(settingsTexts);
  return (
    <div className="settings-form" role="status">
      <Counts
        title={texts.deleted}
        counts={told(deleted, texts.deletedNames)}
        none={texts.deletedNothing}
      />
      <p>{texts.deletedNow}</p>
      <div className="actions">
        <button type="button" className="button primary" autoFocus onClick={onDone}>
          {texts.done}
        </button>
      </div>
    </div>
  );
}
