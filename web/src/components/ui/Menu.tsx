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

/** A button with a menu below it, worked with arrow keys as menus are. */
export function Menu({ label, icon = "more", items }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    entries(list.current)[0]?.focus();
    const leave = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
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
    <div className="menu" ref={box}>
      <IconButton
        icon={icon}
        label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <div id={id} ref={list} className="menu-list" role="menu" aria-label={label} onKeyDown={onKeyDown}>
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

function entries(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
}
