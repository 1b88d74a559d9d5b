import { useTexts } from "../../texts/texts";
import { Link } from "../ui/Link";
import { ConnectModel } from "./ConnectModel";
import { texts as settingsTexts } from "./texts";

/** What the local model cannot do, said plainly, and the way to one that can. */
export function LocalModelNote({ isShort = false }: { isShort?: boolean }) {
  const texts = useTexts(settingsTexts);
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
