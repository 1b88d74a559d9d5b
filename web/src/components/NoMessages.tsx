import type { Me } from "../api/types";
import { Command } from "./Command";

export function NoMessages({ id, me }: { id: string; me: Me }) {
  return (
    <div className="empty welcome">
      <h2>No messages yet</h2>
      <p>Messages that your application records appear here. To add one from a terminal:</p>
      <Command
        me={me}
        path={`/api/conversations/${id}/messages`}
        body={{ messages: [{ role: "user", content: "Hello, remember me." }] }}
      />
    </div>
  );
}
