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

const GAP_PX = 4;

/** A button with a dropdown menu. */
export function Menu({ label, icon = "more", items }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!isOpen || !list.current || !box.current) return;
    list.current.showPopover();
    const reposition = () => {
      if (list.current && box.current) positionBelow(list.current, box.current.getBoundingClientRect());
    };
    reposition();
    itemsOf(list.current)[0]?.focus({ preventScroll: true });
    const closeOutside = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", closeOutside);
    document.addEventListener("focusin", closeOutside);
    document.addEventListener("scroll", reposition, true);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      document.removeEventListener("focusin", closeOutside);
      document.removeEventListener("scroll", reposition, true);
    };
  }, [isOpen]);

  const close = () => {
    setOpen(false);
    box.current?.querySelector("button")?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const menuItems = itemsOf(list.current);
    const index = menuItems.indexOf(document.activeElement as HTMLElement);
    const targets = { ArrowDown: index + 1, ArrowUp: index - 1 + menuItems.length, Home: 0, End: menuItems.length - 1 };
    if (event.key === "Escape") close();
    else if (event.key in targets) menuItems[targets[event.key as keyof typeof targets] % menuItems.length]?.focus();
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
                close();
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

/** Positions the list below its button, or above it if there is no room. */
function positionBelow(list: HTMLElement, button: DOMRect): void {
  const { width, height } = list.getBoundingClientRect();
  const fitsBelow = button.bottom + GAP_PX + height < window.innerHeight;
  list.style.top = `${fitsBelow ? button.bottom + GAP_PX : button.top - GAP_PX - height}px`;
  list.style.left = `${Math.max(GAP_PX, Math.min(button.right - width, window.innerWidth - width - GAP_PX))}px`;
}

function itemsOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
}
