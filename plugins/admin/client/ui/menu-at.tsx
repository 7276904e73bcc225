import type { RefObject } from "react";
import { Popover } from "react-aria-components";
import { MenuItems, type MenuEntry } from "./menu.js";
import styles from "./overlay.module.css";

interface MenuAtProps {
  readonly label: string;
  /** What it stands beside, and what has the focus again once it is closed. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly groups: readonly (readonly MenuEntry[])[];
  readonly onClose: () => void;
}

/** An open menu beside a plain button: where there are many buttons, none of them costs a menu before it is pressed. */
export function MenuAt({ label, anchor, groups, onClose }: MenuAtProps) {
  const closing = groups.map((group) =>
    group.map((entry) => ({
      ...entry,
      run: () => {
        onClose();
        entry.run();
      },
    })),
  );
  return (
    <Popover
      isOpen
      aria-label={label}
      triggerRef={anchor}
      placement="bottom end"
      className={styles.popover ?? ""}
      offset={4}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <MenuItems label={label} groups={closing} />
    </Popover>
  );
}
