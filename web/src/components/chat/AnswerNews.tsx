import { useEffect, useRef, useState } from "react";
import type { Chat } from "../../hooks/useChat";
import { useTexts } from "../../texts/texts";
import { texts as chatTexts } from "./texts";

/** Tells those who listen that an answer has begun, and how it ended; not each word of it. */
export function AnswerNews({ chat }: { chat: Chat }) {
  const texts = useTexts(chatTexts);
  const [news, setNews] = useState("");
  const before = useRef({ isAnswering: false, failure: chat.failure });
  const { failure } = chat;
  const isAnswering = chat.answering !== null;
  const isError = chat.messages.at(-1)?.status === "error";

  useEffect(() => {
    // What had failed before its end is another question, which still waits to be sent.
    const isFailed = isError || (failure !== null && failure !== before.current.failure);
    if (isAnswering) setNews(texts.answerWritten);
    else if (before.current.isAnswering) setNews(isFailed ? texts.answerFailed : texts.answerDone);
    before.current = { isAnswering, failure };
  }, [isAnswering, failure, isError, texts]);

  return (
    <p className="visually-hidden" role="status">
      {news}
    </p>
  );
}
