import { useEffect, useRef, useState } from "react";
import type { Chat } from "../../hooks/useChat";
import { useTexts } from "../../texts/texts";
import { texts as chatTexts } from "./texts";

/** Tells those who listen that an answer has begun, and how it ended; not each word of it. */
export function AnswerNews({ chat }: { chat: Chat }) {
  const texts = useTexts(chatTexts);
  const [news, setNews] = useState("");
  const wasAnswering = useRef(false);
  const isAnswering = chat.answering !== null;
  const isFailed = chat.failure !== null || chat.messages.at(-1)?.status === "error";

  useEffect(() => {
    if (isAnswering) setNews(texts.answerWritten);
    else if (wasAnswering.current) setNews(isFailed ? texts.answerFailed : texts.answerDone);
    wasAnswering.current = isAnswering;
  }, [isAnswering, isFailed, texts]);

  return (
    <p className="visually-hidden" role="status">
      {news}
    </p>
  );
}
