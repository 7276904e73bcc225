import { type KeyboardEvent, useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { useSession } from "../../app/session.js";
import { useForm, useIsChanged, usePeopleAt, useProblemCount } from "../../form/form-context.js";
import { below, type Path } from "../../form/paths.js";
import type { ItemRef } from "../../form/shape.js";
import { FieldMark } from "../../live/faces.js";
import { t } from "../../messages/text.js";
import { Icon } from "../../ui/icon.js";
import { Menu, type MenuEntry } from "../../ui/menu.js";
import { ROW } from "../../ui/move-focus.js";
import { FieldGrid } from "../field-grid.js";
import { idOf } from "../field-id.js";
import { copyItem } from "./copy-item.js";
import styles from "./items.module.css";
import { MoveDialog } from "./move-dialog.js";
import { useDraggedCard } from "./use-dragged-card.js";
import { CARD_BODY, type ItemList } from "./use-item-list.js";

interface ItemCardProps {
  /** Of the list. */
  readonly path: Path;
  readonly item: ItemRef;
  readonly index: number;
  readonly list: ItemList;
  readonly kinds: readonly string[];
  readonly isOpen: boolean;
  readonly isReadOnly: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

/** One item of a list. A closed card is its head alone: its fields are not mounted. */
export function ItemCard(props: ItemCardProps) {
  const { path, item, index, isOpen, isReadOnly, onToggle, list } = props;
  const { components } = useSession();
  const component = components.get(item.component);
  const place = below(path, item.key);
  const problems = useProblemCount(place);
  // A list of problems leads to fields, which have to be there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reader may close it again
  useEffect(() => {
    if (problems > 0) onToggle(true);
  }, [problems]);
  const { store } = useForm();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what opens it is another function at each drawing
  useEffect(() => store.revealed.watch(place, () => onToggle(true)), [store, place]);
  const drag = useDraggedCard({ list: path, key: item.key, index, isEnabled: !isReadOnly, move: list.move });
  if (!component) return null;
  return (
    <div ref={drag.card} {...ROW} className={styles.card} data-dragged={drag.isDragged} data-edge={drag.edge}>
      <div className={styles.head}>
        {!isReadOnly && (
          <span ref={drag.handle} className={styles.grip} aria-hidden="true">
            <Icon name="grip-vertical" size={1} />
          </span>
        )}
        <button
          type="button"
          id={idOf(place)}
          className={styles.toggle}
          aria-expanded={isOpen}
          // A closed card has nothing to control.
          aria-controls={isOpen ? `${idOf(place)}-body` : undefined}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onClick={() => onToggle(!isOpen)}
          onKeyDown={(event) => moveByKey(event, props)}
        >
          <Icon name="chevron-right" size={1} />
          <span className={styles.number}>{index + 1}</span>
          <span className={styles.kind}>{component.label}</span>
          <Title path={component.title === null ? undefined : below(place, component.title)} />
          <Marks path={place} />
          {!isOpen && <ClosedMark path={place} />}
        </button>
        {!isReadOnly && <CardMenu {...props} />}
      </div>
      {isOpen && (
        <div id={`${idOf(place)}-body`} {...CARD_BODY} className={styles.body}>
          <FieldGrid layout={component.layout} attributes={component.attributes} path={place} />
        </div>
      )}
    </div>
  );
}

function moveByKey(event: KeyboardEvent, { index, isReadOnly, list }: ItemCardProps): void {
  const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
  if (!event.altKey || by === 0 || isReadOnly) return;
  event.preventDefault();
  list.move(index, index + by);
}

/** The first text of an item, which tells it from its neighbours. */
function Title({ path }: { readonly path: Path | undefined }) {
  const { store } = useForm();
  const subscribe = useCallback((listener: () => void) => store.subscribe(path ?? "", listener), [store, path]);
  const text = useSyncExternalStore(subscribe, () => (path === undefined ? null : store.get(path)));
  return <span className={styles.text}>{typeof text === "string" ? text : ""}</span>;
}

/** Who is in a field of a closed card. */
function ClosedMark({ path }: { readonly path: Path }) {
  return <FieldMark people={usePeopleAt(path, true)} />;
}

function Marks({ path }: { readonly path: Path }) {
  const problems = useProblemCount(path);
  const isChanged = useIsChanged(path);
  if (problems > 0)
    return (
      <span className={styles.mark}>
        <Icon name="circle-alert" size={0.9} />
        {t("items.problems", { count: problems })}
      </span>
    );
  return isChanged ? <span className={styles.changed} title={t("items.changed")} /> : null;
}

function CardMenu({ path, item, index, kinds, list }: ItemCardProps) {
  const { move } = list;
  const count = list.items.length;
  const { store } = useForm();
  const [isAsking, setAsking] = useState(false);
  const { components } = useSession();
  const entry = (id: string, icon: MenuEntry["icon"], label: string, run: () => void): MenuEntry => ({
    ...{ id, label, run },
    ...(icon ? { icon } : {}),
  });
  const moves = [
    { ...entry("up", "arrow-up", t("items.up"), () => move(index, index - 1)), isDisabled: index === 0 },
    { ...entry("down", "arrow-down", t("items.down"), () => move(index, index + 1)), isDisabled: index === count - 1 },
    { ...entry("first", "arrow-up-to-line", t("items.first"), () => move(index, 0)), isDisabled: index === 0 },
    {
      ...entry("last", "arrow-down-to-line", t("items.last"), () => move(index, count - 1)),
      isDisabled: index === count - 1,
    },
    entry("to", "move-vertical", t("items.to"), () => setAsking(true)),
  ];
  const inserts = kinds.map((uid) =>
    entry(`insert-${uid}`, "plus", t("items.before", { name: components.get(uid)?.label ?? uid }), () =>
      list.insert(uid, index),
    ),
  );
  return (
    <>
      <Menu
        isSmall
        label={t("items.menu", { number: index + 1 })}
        groups={[
          count > 1 ? moves : [],
          inserts,
          [
            entry("duplicate", "copy", t("items.duplicate"), () => list.duplicate(item, index + 1)),
            entry("copy", "copy", t("items.copy"), () => copyItem(store, path, item)),
          ],
          [{ ...entry("remove", "trash-2", t("items.delete"), () => list.remove(item)), isDangerous: true }],
        ]}
      />
      {isAsking && (
        <MoveDialog
          place={index + 1}
          count={count}
          onMove={(place) => move(index, place - 1)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
