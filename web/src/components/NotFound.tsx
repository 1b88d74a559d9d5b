import { Link } from "./Link";

export function NotFound({ navigate }: { navigate: (path: string) => void }) {
  return (
    <div className="empty">
      <h1>Conversation not found</h1>
      <p>It may have been deleted, or it belongs to someone else.</p>
      <Link className="button" href="/" navigate={navigate}>
        Show all conversations
      </Link>
    </div>
  );
}
