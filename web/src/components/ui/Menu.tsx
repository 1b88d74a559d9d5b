import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { Icon, type IconName } from "./Icon";
import { IconButton } from "./IconButton";

export interface MenuItem {
  label: string;
  icon: IconName;
  onSelect: () => void;
  isDangerous?: boolean;
}

interface Props {
  label: string;
  icon?: IconName;
  items: readonly MenuItem[];
}

const gap = 4;

/** A button with a menu below it, worked with arrow keys as menus are. */
export function Menu({ label, icon = "more", items }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!isOpen || !list.current || !box.current) return;
    list.current.showPopover();
    const follow = () => {
      if (list.current && box.current) place(list.current, box.current.getBoundingClientRect());
    };
    follow();
    entries(list.current)[0]?.focus({ preventScroll: true });
    const leave = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    document.addEventListener("scroll", follow, true);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
      document.removeEventListener("scroll", follow, true);
    };
  }, [isOpen]);

  const shut = () => {
    setOpen(false);
    box.current?.querySelector("button")?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const all = entries(list.current);
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 };
    if (event.key === "Escape") shut();
    else if (event.key in to) all[to[event.key as keyof typeof to] % all.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div ref={box}>
      <IconButton
        icon={icon}
        label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <div
          id={id}
          ref={list}
          className="menu-list"
          role="menu"
          aria-label={label}
          popover="manual"
          onKeyDown={onKeyDown}
        >
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={item.isDangerous ? "menu-item dangerous" : "menu-item"}
              onClick={() => {
                shut();
                item.onSelect();
              }}
            >
              <Icon name={item.icon} />
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Below its button, or above it where there is no room; never beyond the edge of the screen. */
function place(list: HTMLElement, button: DOMRect): void {
  const { width, height } = list.getBoundingClientRect();
  const fitsBelow = button.bottom + gap + height < window.innerHeight;
  list.style.top = `${fitsBelow ? button.bottom + gap : button.top - gap - height}px`;
  list.style.left = `${Math.max(gap, Math.min(button.right - width, window.innerWidth - width - gap))}px`;
}

function entries(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
}
