import { useEffect, useRef, useState } from "react";
import type { Chat } from "../../hooks/useChat";
import { useChatTexts } from "./texts";

/** Announces the start and end of an answer to screen readers. */
export function AnswerAnnouncer({ chat }: { chat: Chat }) {
  const texts = useChatTexts();
  const [announcement, setAnnouncement] = useState("");
  const previous = useRef({ isAnswering: false, failure: chat.failure });
  const { failure } = chat;
  const isAnswering = chat.activeAnswer !== null;
  const isError = chat.messages.at(-1)?.status === "error";

  useEffect(() => {
    // An older failure belongs to another, unsent question.
    const isFailed = isError || (failure !== null && failure !== previous.current.failure);
    if (isAnswering) setAnnouncement(texts.answerStarted);
    else if (previous.current.isAnswering) setAnnouncement(isFailed ? texts.answerFailed : texts.answerDone);
    previous.current = { isAnswering, failure };
  }, [isAnswering, failure, isError, texts]);

  return (
    <p className="visually-hidden" role="status">
      {announcement}
    </p>
  );
}
