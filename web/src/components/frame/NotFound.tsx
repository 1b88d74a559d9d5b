import { useTexts } from "../../texts/texts";
import { Link } from "../ui/Link";
import { Nothing } from "../ui/Nothing";
import { texts as frameTexts } from "./texts";

export function NotFound() {
  const texts = useTexts(frameTexts);
  return (
    <Nothing level={1} title={texts.notFound} hints={[texts.notFoundHint]}>
      <Link className="button" href="/">
        {texts.showConversations}
      </Link>
    </Nothing>
  );
}
