import { useTexts } from "../../texts/texts";
import { Link } from "../ui/Link";
import { texts as frameTexts } from "./texts";

export function NotFound() {
  const texts = useTexts(frameTexts);
  return (
    <div className="empty">
      <h1>{texts.notFound}</h1>
      <p>{texts.notFoundHint}</p>
      <Link className="button" href="/">
        {texts.showConversations}
      </Link>
    </div>
  );
}
