import { Link } from "./Link";

export function Brand({ navigate }: { navigate: (path: string) => void }) {
  return (
    <Link className="brand" href="/" navigate={navigate}>
      <img src="/favicon.svg" alt="" width="26" height="26" />
      Recollect
    </Link>
  );
}
