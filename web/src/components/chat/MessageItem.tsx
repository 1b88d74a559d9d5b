import { memo } from "react";
import type { Message, MessageStatus, Role } from "../api/types";
import { locale } from "../model/locale";
import { exactTime } from "../model/time";
import { viewToolCall } from "../model/toolCall";
import { Fold } from "./Fold";
import { Icon } from "./Icon";

const speakers: Record<Role, string> = {
  user: "User",
  assistant: "Assistant",
  system: "System",
  tool: "Tool",
};

const statusNotes: Record<Exclude<MessageStatus, "complete">, string> = {
  streaming: "Still being written",
  interrupted: "Interrupted",
  error: "Failed",
};

export const MessageItem = memo(function MessageItem({ message }: { message: Message }) {
  const { seq, role, status, content, thinking, tool_calls, event_at } = message;
  return (
    <article
      className="message"
      data-message={seq}
      data-role={role}
      aria-label={`Message ${seq}, ${role}`}
    >
      <header className="message-header">
        <span className="speaker">{speakers[role]}</span>
        <time dateTime={event_at}>{exactTime(event_at, locale)}</time>
        {message.is_pinned && (
          <span className="mark pinned">
            <Icon name="pin" />
            Pinned
          </span>
        )}
        {status !== "complete" && (
          <span className="mark" data-status={status}>
            {statusNotes[status]}
          </span>
        )}
      </header>
      {thinking && (
        <Fold summary="Thinking">
          <p className="text" dir="auto">
            {thinking}
          </p>
        </Fold>
      )}
      {content !== "" && (
        <p className="text" dir="auto">
          {content}
        </p>
      )}
      {tool_calls?.map(viewToolCall).map((call, index) => (
        <Fold key={index} summary={`Tool call: ${call.name}`}>
          <pre className="text">{call.json}</pre>
        </Fold>
      ))}
    </article>
  );
});
