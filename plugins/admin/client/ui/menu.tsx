import type { ReactNode } from "react";
import {
  Button as AriaButton,
  Dialog,
  DialogTrigger,
  Menu as AriaMenu,
  MenuItem,
  MenuTrigger,
  Popover,
  Separator,
} from "react-aria-components";
import { buttonClass } from "./button.js";
import buttonStyles from "./button.module.css";
import { classNames } from "./class-names.js";
import { Icon } from "./icon.js";
import type { IconName } from "./icon-paths.js";
import styles from "./overlay.module.css";

/** One thing that a menu offers. */
export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName;
  /** Stands at the end: a key, a state. */
  readonly aside?: ReactNode;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  readonly run: () => void;
}

interface TriggerProps {
  readonly label: string;
  /** Instead of a button of an icon alone. */
  readonly text?: ReactNode;
  readonly icon?: IconName | undefined;
  readonly isSmall?: boolean;
  readonly look?: "primary" | "plain" | "quiet";
}

interface MenuProps extends TriggerProps {
  /** Groups, with a line between them; empty ones are left out. */
  readonly groups: readonly (readonly MenuEntry[])[];
}

/** The button that opens a menu or a popover. */
function Trigger({ label, text, icon, isSmall = false, look = "quiet" }: TriggerProps) {
  const className = classNames(buttonClass({ look, isSmall }), !text && buttonStyles.iconOnly);
  return (
    <AriaButton className={className} {...(text ? {} : { "aria-label": label })}>
      {icon && <Icon name={icon} size={isSmall ? 1 : 1.125} />}
      {text}
      {text && <Icon name="chevron-down" size={0.875} />}
    </AriaButton>
  );
}

/** A button with a list of things to do. */
export function Menu({ groups, ...trigger }: MenuProps) {
  return (
    <MenuTrigger>
      <Trigger {...trigger} icon={trigger.icon ?? (trigger.text ? undefined : "ellipsis")} />
      <Popover className={styles.popover ?? ""} offset={4}>
        <MenuItems label={trigger.label} groups={groups} />
      </Popover>
    </MenuTrigger>
  );
}

/** The list itself; the focus is in it when it appears. */
export function MenuItems({ label, groups }: Pick<MenuProps, "label" | "groups">) {
  const filled = groups.filter((group) => group.length > 0);
  return (
    <AriaMenu className={styles.menu ?? ""} aria-label={label} autoFocus="first">
      {filled.flatMap((group, index) => [
        ...(index > 0 ? [<Separator key={`line-${group[0]?.id}`} className={styles.separator ?? ""} />] : []),
        ...group.map(itemOf),
      ])}
    </AriaMenu>
  );
}

function itemOf({ id, label, icon, aside, isDangerous, isDisabled, run }: MenuEntry) {
  return (
    <MenuItem
      key={id}
      id={id}
      textValue={label}
      isDisabled={isDisabled ?? false}
      onAction={run}
      className={classNames(styles.item, isDangerous && styles.danger)}
    >
      {icon && <Icon name={icon} size={1} />}
      <span>{label}</span>
      {aside && <span className={styles.itemEnd}>{aside}</span>}
    </MenuItem>
  );
}

interface PanelProps extends TriggerProps {
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a small window beside it. */
export function PopoverButton({ children, ...trigger }: PanelProps) {
  return (
    <DialogTrigger>
      <Trigger {...trigger} />
      {/* biome-ignore lint/a11y/useValidAriaValues: the window inside has a role and a name; what has no role may have no name */}
      <Popover className={styles.popover ?? ""} offset={4} aria-labelledby="">
        <Dialog className={styles.padded ?? ""} aria-label={trigger.label}>
          {({ close }) => children(close)}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
