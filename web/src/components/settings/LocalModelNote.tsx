import { Link } from "../ui/Link";
import { ConnectModel } from "./ConnectModel";
import { useModelTexts } from "./modelTexts";

/** Explains the limits of the local model and how to connect another one. */
export function LocalModelNote({ isShort = false }: { isShort?: boolean }) {
  const texts = useModelTexts();
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
