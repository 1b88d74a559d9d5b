import { conversationPath, useNavigation } from "../../hooks/useRoute";
import { useSpeech, useTexts } from "../../texts/texts";
import { Link } from "../ui/Link";
import { texts as chatTexts } from "./texts";

export function CoveredMark({ throughSeq }: { throughSeq: number }) {
  const texts = useTexts(chatTexts);
  const { locale } = useSpeech();
  const { route } = useNavigation();
  const id = route.page === "chat" ? route.conversationId : null;
  return (
    <p className="row-mark covered">
      <Link href={id === null ? "/" : conversationPath(id, { panel: "summary" })}>
        {texts.covered(throughSeq, locale)}
      </Link>
    </p>
  );
}
