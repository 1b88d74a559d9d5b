import type { Me } from "../api/types";
import { Command } from "./Command";

/** What stands in the main pane while no conversation is open. */
export function Welcome({ me, isEmpty }: { me: Me; isEmpty: boolean }) {
  if (!isEmpty) {
    return (
      <div className="empty">
        <p>Choose a conversation to read it.</p>
      </div>
    );
  }
  return (
    <div className="empty welcome">
      <h1>Nothing to remember yet</h1>
      <p>
        Recollect keeps every word of the conversations that your application has with a language
        model. Each message is on disk before it is acknowledged, and comes back as it was said.
      </p>
      <p>Record your first conversation from a terminal:</p>
      <Command
        me={me}
        path="/api/conversations"
        body={{ title: "First steps", messages: [{ role: "user", content: "Hello, remember me." }] }}
      />
    </div>
  );
}
