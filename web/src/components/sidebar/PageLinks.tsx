import { useNavigation } from "../../hooks/useRoute";
import { useLayoutTexts } from "../layout/texts";
import { Icon } from "../ui/Icon";
import { Link } from "../ui/Link";

const pages = [
  { page: "memories", icon: "memory" },
  { page: "analytics", icon: "chart" },
  { page: "settings", icon: "settings" },
] as const;

export function PageLinks() {
  const texts = useLayoutTexts();
  const { route } = useNavigation();
  return (
    <ul className="page-links">
      {pages.map(({ page, icon }) => (
        <li key={page}>
          <Link
            className="page-link"
            href={`/${page}`}
            aria-current={route.page === page ? "page" : undefined}
          >
            <Icon name={icon} />
            {texts[page]}
          </Link>
        </li>
      ))}
    </ul>
  );
}
