import { useState } from "react";
import { exportPath } from "../../api/data";
import type { Me } from "../../api/types";
import { useTexts } from "../../texts/texts";
import { Icon } from "../ui/Icon";
import { DeleteEverything } from "./DeleteEverything";
import { ImportFile } from "./ImportFile";
import { Section } from "./Section";
import { texts as settingsTexts } from "./texts";

export function YourData({ me }: { me: Me }) {
  const texts = useTexts(settingsTexts);
  const [isDeleting, setDeleting] = useState(false);

  return (
    <Section title={texts.data} hint={texts.dataHint}>
      <div className="deed">
        <p className="hint">{texts.exportHint}</p>
        <a className="button" href={exportPath} download="recollect.jsonl">
          <Icon name="download" />
          {texts.export}
        </a>
      </div>
      <ImportFile most={me.limits.max_import_bytes} />
      <div className="deed">
        <p className="hint">{texts.deleteHint}</p>
        <button type="button" className="button delete-all" onClick={() => setDeleting(true)}>
          <Icon name="trash" />
          {texts.deleteTitle}
        </button>
      </div>
      {isDeleting && <DeleteEverything me={me} onClose={() => setDeleting(false)} />}
    </Section>
  );
}
