import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import { t } from "../../messages/text.js";
import { classNames } from "../../ui/class-names.js";
import { Icon } from "../../ui/icon.js";
import type { IconName } from "../../ui/icon-paths.js";
import styles from "./bar.module.css";

/** A button of a bar. */
export interface BarButton {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  /** As ProseMirror and CodeMirror write keys: `Mod-b`. */
  readonly keys?: string;
  /** Of what is on or off. */
  readonly isPressed?: boolean;
  readonly isDisabled?: boolean;
  readonly run: () => void;
}

interface BarProps {
  readonly label: string;
  /** Id of what the buttons act on. */
  readonly controls: string;
  readonly groups: readonly (readonly BarButton[])[];
  /** Stands before the buttons; what can be focused in it has `data-bar-item`. */
  readonly before?: ReactNode;
  readonly after?: ReactNode;
  /** Called after a click, so that typing goes on where it was. */
  readonly focusEditor: () => void;
}

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);
const ITEM = "[data-bar-item]";

/** A row of buttons above an editor: one stop of Tab, arrows move within it. */
export function Bar({ label, controls, groups, before, after, focusEditor }: BarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const last = useRef<Element>(null);
  useLayoutEffect(() => setStop(bar.current, last.current));
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={label}
      aria-controls={controls}
      className={styles.bar}
      onFocus={({ target }) => {
        last.current = target;
        setStop(bar.current, target);
      }}
      onKeyDown={moveFocus}
    >
      {before}
      {groups.map((group) => (
        <div key={group[0]?.id} className={styles.group}>
          {group.map((button) => (
            <ToolButton key={button.id} {...button} focusEditor={focusEditor} />
          ))}
        </div>
      ))}
      {after}
    </div>
  );
}

interface ToolButtonProps extends BarButton {
  readonly focusEditor: () => void;
}

function ToolButton({ label, icon, keys, isPressed, isDisabled = false, run, focusEditor }: ToolButtonProps) {
  const title = keys ? t("code.bar.keys", { label, keys: shownKeys(keys) }) : label;
  return (
    <button
      type="button"
      data-bar-item=""
      className={classNames(styles.button, isPressed && styles.pressed)}
      title={title}
      aria-label={label}
      aria-pressed={isPressed}
      aria-disabled={isDisabled || undefined}
      aria-keyshortcuts={keys ? ariaKeys(keys) : undefined}
      // The focus, and so the selection, stays in the editor.
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ detail }) => {
        if (isDisabled) return;
        run();
        if (detail > 0) focusEditor();
      }}
    >
      <Icon name={icon} size={1} />
    </button>
  );
}

/** One item of the bar can be reached by Tab: the one that had the focus last. */
function setStop(bar: HTMLElement | null, last: Element | null): void {
  const items = [...(bar?.querySelectorAll<HTMLElement>(ITEM) ?? [])];
  const stop = items.find((item) => item === last) ?? items[0];
  for (const item of items) item.tabIndex = item === stop ? 0 : -1;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEM)];
  const index = items.indexOf(event.target as HTMLElement);
  const isMirrored = getComputedStyle(event.currentTarget).direction === "rtl";
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: isMirrored ? -1 : 1,
    ArrowLeft: isMirrored ? 1 : -1,
    Home: -index,
    End: items.length - 1 - index,
  };
  const step = steps[event.key];
  if (step === undefined || index < 0) return;
  event.preventDefault();
  items[(index + step + items.length) % items.length]?.focus();
}

const shownKeys = (keys: string): string =>
  IS_MAC
    ? keys.replace("Mod-", "⌘").replace("Shift-", "⇧").replace("Alt-", "⌥").toUpperCase()
    : keys
        .replace("Mod-", "Ctrl+")
        .replace(/-(?=.)/g, "+")
        .replace(/\b[a-z]$/, (letter) => letter.toUpperCase());

const ariaKeys = (keys: string): string => keys.replace("Mod-", IS_MAC ? "Meta+" : "Control+").replace(/-(?=.)/g, "+");
