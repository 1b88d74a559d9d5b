import { useTexts } from "../../texts/texts";
import { Link } from "../ui/Link";
import { ConnectModel } from "./ConnectModel";
import { modelTexts } from "./modelTexts";

/** What the local model cannot do, said plainly, and the way to one that can. */
export function LocalModelNote({ isShort = false }: { isShort?: boolean }) {
  const texts = useTexts(modelTexts);
  if (isShort) {
    return (
      <p className="hint local-model-short">
        {texts.localShort} <Link href="/settings">{texts.localShortLink}</Link>
      </p>
    );
  }
  return (
    <div className="local-model">
      <h3>{texts.localTitle}</h3>
      <p>{texts.localLimits}</p>
      <ConnectModel />
    </div>
  );
}
