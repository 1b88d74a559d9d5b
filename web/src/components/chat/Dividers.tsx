import { conversationPath, useNavigation } from "../../hooks/useRoute";
import { useLocale } from "../../i18n/i18n";
import { Link } from "../ui/Link";
import { useChatTexts } from "./texts";

export function DayDivider({ iso }: { iso: string }) {
  const { locale } = useLocale();
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "full" }).format(new Date(iso));
  return <p className="divider">{day}</p>;
}

/** Marks the last message that the summary covers. */
export function SummaryDivider({ throughSeq }: { throughSeq: number }) {
  const texts = useChatTexts();
  const { locale } = useLocale();
  const { route } = useNavigation();
  const id = route.page === "chat" ? route.conversationId : null;
  return (
    <p className="divider summary-end">
      <Link href={id === null ? "/" : conversationPath(id, { panel: "summary" })}>
        {texts.covered(throughSeq, locale)}
      </Link>
    </p>
  );
}
