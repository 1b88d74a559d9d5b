import { useState } from "react";
import { exportPath } from "../../api/data";
import type { Me } from "../../api/types";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { DeleteAllDialog } from "./DeleteAllDialog";
import { ImportFile } from "./ImportFile";
import { SettingsSection } from "./SettingsSection";
import { useSettingsTexts } from "./texts";

export function DataSection({ me }: { me: Me }) {
  const texts = useSettingsTexts();
  const [isDeleting, setDeleting] = useState(false);

  return (
    <SettingsSection title={texts.data} hint={texts.dataHint}>
      <div className="data-action">
        <p className="hint">{texts.exportHint}</p>
        <a className="button" href={exportPath} download="recollect.jsonl">
          <Icon name="download" />
          {texts.export}
        </a>
      </div>
      <ImportFile maxBytes={me.limits.max_import_bytes} />
      <div className="data-action">
        <p className="hint">{texts.deleteHint}</p>
        <Button className="delete-all" onClick={() => setDeleting(true)}>
          <Icon name="trash" />
          {texts.deleteTitle}
        </Button>
      </div>
      {isDeleting && <DeleteAllDialog me={me} onClose={() => setDeleting(false)} />}
    </SettingsSection>
  );
}
