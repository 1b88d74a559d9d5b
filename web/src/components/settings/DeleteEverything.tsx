import { useState } from "react";
import type { DeletedUserCounts } from "../../api/data";
import type { Me } from "../../api/types";
import { useTexts } from "../../texts/texts";
import { Dialog } from "../ui/Dialog";
import { DeletedEverything } from "./DeletedEverything";
import { DeleteForm } from "./DeleteForm";
import { texts as settingsTexts } from "./texts";

/** From here on nothing on this page is true any more: it is loaded anew. */
function beginAnew(): void {
  window.location.assign("/");
}

/** The last question, and then the receipt. */
export function DeleteEverything({ me, onClose }: { me: Me; onClose: () => void }) {
  const texts = useTexts(settingsTexts);
  const [deleted, setDeleted] = useState<DeletedUserCounts | null>(null);

  if (deleted) {
    return (
      <Dialog title={texts.deleted} onClose={beginAnew}>
        <DeletedEverything deleted={deleted} onDone={beginAnew} />
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.deleteTitle} onClose={onClose}>
      <DeleteForm me={me} onCancel={onClose} onDeleted={setDeleted} />
    </Dialog>
  );
}
