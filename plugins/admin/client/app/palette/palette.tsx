import { useNavigate, useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { t } from "../../messages/text.js";
import { Icon } from "../../ui/icon.js";
import { messageOf } from "../../ui/state.js";
import { useAddedCommands } from "../commands.js";
import { useExtensionCommands } from "../extension-actions.js";
import { useExtensions } from "../extensions.js";
import { isMod } from "../keys/key-names.js";
import { useSession } from "../session.js";
import { fitting, type PaletteEntry, type PaletteGroup } from "./entries.js";
import { addedGroup, commandGroup, documentsGroup, recentGroup, screenGroup } from "./palette-groups.js";
import styles from "./palette.module.css";
import { useFound } from "./use-found.js";

/** The search of everything: screens, documents, and what can be done. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      className={styles.backdrop ?? ""}
    >
      <Modal className={styles.modal ?? ""}>
        <Dialog aria-label={t("palette.button")} className={styles.dialog ?? ""}>
          <Search onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** What the keys do, for those who see them; screen readers know a combobox. */
const HINTS = [
  ["↑ ↓", "palette.move"],
  ["Enter", "palette.open"],
  ["Esc", "action.close"],
] as const;

/** How far a key goes: to the next one, or to an end. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function Search({ onClose }: { readonly onClose: () => void }) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const { groups, found } = useGroups(typed);
  const entries = groups.flatMap((group) => group.entries);
  const [activeId, setActive] = useState<string>();
  const index = Math.max(
    0,
    entries.findIndex((entry) => entry.id === activeId),
  );
  const active = entries[index];
  const run = useRun(onClose);
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined && !event.altKey && entries.length > 0) {
      event.preventDefault();
      setActive(entries[(index + step + entries.length) % entries.length]?.id);
    }
    // While a script writes a word, Enter ends the word.
    if (event.key === "Enter" && active && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(active, isMod(event));
    }
  };
  return (
    <>
      <div className={styles.head}>
        <Icon name="search" size={1.125} />
        <input
          // biome-ignore lint/a11y/noAutofocus: the window is there to be typed into
          autoFocus
          type="text"
          role="combobox"
          aria-label={t("palette.label")}
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active ? `${id}-${active.id}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder={t("palette.hint")}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setActive(undefined);
          }}
          onKeyDown={press}
        />
      </div>
      <List {...{ id, groups, active, run }} onHover={(entry) => setActive(entry.id)} />
      <Notes count={entries.length} {...found} />
      <p className={styles.foot} aria-hidden="true">
        {HINTS.map(([key, text]) => (
          <span key={key}>
            <kbd>{key}</kbd> {t(text)}
          </span>
        ))}
      </p>
    </>
  );
}

/** What is offered for what is typed: recent documents first while nothing is. */
function useGroups(typed: string) {
  const session = useSession();
  const { loaded } = useExtensions();
  const found = useFound(typed);
  const known = [
    recentGroup(session),
    addedGroup("here", t("palette.here"), useAddedCommands()),
    screenGroup(session, loaded),
    addedGroup("extensions", t("frame.extensions"), useExtensionCommands()),
    commandGroup(session),
  ];
  const [recent, ...others] = fitting(known, typed);
  const documents = found.entries.length > 0 ? [documentsGroup(session, found.entries)] : [];
  const isRecent = recent?.id === "recent";
  // What was opened last and is found as well stands once.
  const shown = isRecent && documents.length > 0 ? without(documents, recent) : documents;
  const groups: readonly PaletteGroup[] = recent
    ? [...(isRecent ? [recent, ...shown] : [...shown, recent]), ...others]
    : shown;
  return { groups, found };
}

function without(groups: readonly PaletteGroup[], known: PaletteGroup): readonly PaletteGroup[] {
  const hrefs = new Set(known.entries.map(({ href }) => href));
  const left = groups.map((group) => ({ ...group, entries: group.entries.filter(({ href }) => !hrefs.has(href)) }));
  return left.filter(({ entries }) => entries.length > 0);
}

/** Goes to an entry, or does it. @returns what is called with whether a new tab is wanted */
function useRun(onClose: () => void) {
  const navigate = useNavigate();
  const router = useRouter();
  return ({ href, run }: PaletteEntry, inNewTab: boolean) => {
    onClose();
    if (href === undefined) run?.();
    else if (inNewTab) window.open(`${router.basepath}${href}`, "_blank", "noopener");
    else void navigate({ to: href });
  };
}

interface ListProps {
  readonly id: string;
  readonly groups: readonly PaletteGroup[];
  readonly active: PaletteEntry | undefined;
  readonly run: (entry: PaletteEntry, inNewTab: boolean) => void;
  readonly onHover: (entry: PaletteEntry) => void;
}

function List({ id, groups, active, run, onHover }: ListProps) {
  const shown = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another active entry is scrolled to
  useEffect(() => {
    shown.current?.scrollIntoView({ block: "nearest" });
  }, [active?.id]);
  return (
    <div id={`${id}-list`} role="listbox" aria-label={t("palette.results")} className={styles.list} tabIndex={-1}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of a list box is no fieldset
        <div key={group.id} role="group" aria-labelledby={`${id}-${group.id}`}>
          <p id={`${id}-${group.id}`} className={styles.heading}>
            {group.title}
          </p>
          {group.entries.map((entry) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the box
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box
            <div
              key={entry.id}
              id={`${id}-${entry.id}`}
              ref={entry === active ? shown : undefined}
              role="option"
              aria-selected={entry === active}
              className={styles.entry}
              onMouseMove={() => {
                if (entry !== active) onHover(entry);
              }}
              onMouseDown={(event: MouseEvent) => event.preventDefault()}
              onClick={({ ctrlKey, metaKey }) => run(entry, isMod({ ctrlKey, metaKey }))}
            >
              <Icon name={entry.icon} size={1} />
              <span className={styles.label}>{entry.label}</span>
              {entry.aside && <span className={styles.aside}>{entry.aside}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

interface NotesProps extends Pick<ReturnType<typeof useFound>, "isPartial" | "isWaiting" | "error"> {
  readonly count: number;
}

/** How much was found, and what is to be known of it. */
function Notes({ count, isPartial, isWaiting, error }: NotesProps) {
  const text = isWaiting
    ? t("palette.searching")
    : error
      ? messageOf(error)
      : isPartial
        ? t("palette.partial")
        : undefined;
  return (
    <div className={styles.notes}>
      {count === 0 && !isWaiting && <p>{t("palette.nothing")}</p>}
      {text && <p>{text}</p>}
      <p role="status" className="visually-hidden">
        {isWaiting ? "" : t("palette.count", { count })}
      </p>
    </div>
  );
}
