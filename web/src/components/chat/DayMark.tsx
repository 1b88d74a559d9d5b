import { useSpeech } from "../../texts/texts";

export function DayMark({ iso }: { iso: string }) {
  const { locale } = useSpeech();
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "full" }).format(new Date(iso));
  return <p className="row-mark">{day}</p>;
}
