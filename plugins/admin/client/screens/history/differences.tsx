import { lazy, type ReactNode, Suspense } from "react";
import type { RelatedEntry } from "../../../src/wire/content.js";
import type { FileView } from "../../../src/wire/files.js";
import type { AttributeKind, AttributeView } from "../../../src/wire/model.js";
import { loadPart } from "../../app/load-part.js";
import { attributesOf } from "../../app/session.js";
import { below, type Path } from "../../form/paths.js";
import { type Attributes, hasItems, linkKey } from "../../form/shape.js";
import { t } from "../../messages/text.js";
import { classNames } from "../../ui/class-names.js";
import { wordsOf } from "../edit/value-words.js";
import { compareItems, differing, type ItemDifference, type TwoLeaves } from "./compare.js";
import styles from "./history.module.css";

const TextDifference = lazy(() => loadPart(() => import("./text-difference.js")));
const BlocksDifference = lazy(() =>
  loadPart(() => import("./text-difference.js")).then(({ BlocksDifference: part }) => ({ default: part })),
);

interface DifferencesProps extends TwoLeaves {
  readonly attributes: Attributes;
  /** Names of what is compared; default: all. */
  readonly names?: ReadonlySet<string> | undefined;
  /** What stands beside the name of an attribute, such as a button. */
  readonly aside?: ((name: string) => ReactNode) | undefined;
}

/** Every attribute that differs between two states of a document, each readable by its kind. */
export function Differences({ attributes, names, aside, ...sides }: DifferencesProps) {
  const found = differing(sides, attributes).filter((name) => names?.has(name) ?? true);
  if (found.length === 0) return <p className={styles.note}>{t("history.same")}</p>;
  return found.flatMap((name) => {
    const attribute = attributes[name];
    if (!attribute) return [];
    return (
      <section key={name} className={styles.difference} aria-labelledby={`difference-${name}`}>
        <header className={styles.differenceHead}>
          <h3 id={`difference-${name}`}>{attribute.label}</h3>
          {aside?.(name)}
        </header>
        <Difference {...sides} attribute={attribute} path={name} />
      </section>
    );
  });
}

interface DifferenceProps extends TwoLeaves {
  readonly attribute: AttributeView;
  readonly path: Path;
}

const BY_WORD: ReadonlySet<AttributeKind> = new Set(["string", "text", "email", "uid"]);
const BY_LINE: ReadonlySet<AttributeKind> = new Set(["json"]);

function Difference({ attribute, path, ...sides }: DifferenceProps) {
  const { kind } = attribute;
  const [from, to] = [sides.from.get(path) ?? null, sides.to.get(path) ?? null];
  if (hasItems(attribute)) return <ItemDifferences {...sides} attribute={attribute} path={path} />;
  if (BY_WORD.has(kind) || BY_LINE.has(kind) || kind === "richtext")
    return (
      <Suspense>
        <TextDifference from={String(from ?? "")} to={String(to ?? "")} isByLine={BY_LINE.has(kind)} />
      </Suspense>
    );
  if (kind === "blocks")
    return (
      <Suspense>
        <BlocksDifference from={listOf(from)} to={listOf(to)} />
      </Suspense>
    );
  if (kind === "relation" || kind === "media")
    return <Links attribute={attribute} from={listOf(from)} to={listOf(to)} />;
  return <Values {...sides} attribute={attribute} path={path} />;
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];

/** One value, and the one after it. */
function Values({ attribute, path, shapes, from, to }: DifferenceProps) {
  const words = (leaves: DifferenceProps["from"]) =>
    wordsOf({ attribute, path, leaves, shapes, value: leaves.get(path) ?? null });
  return (
    <p className={styles.text}>
      <del className={styles.del}>
        <span className="visually-hidden">{t("history.removed")}: </span>
        {words(from)}
      </del>{" "}
      <ins className={styles.ins}>
        <span className="visually-hidden">{t("history.added")}: </span>
        {words(to)}
      </ins>
    </p>
  );
}

interface LinksProps {
  readonly attribute: AttributeView;
  readonly from: readonly unknown[];
  readonly to: readonly unknown[];
}

/** Linked documents, or files, by their names: who came, who went, and who stands at another place. */
function Links({ attribute, from, to }: LinksProps) {
  const keyOf = (value: unknown) =>
    attribute.kind === "media" ? String((value as FileView).id) : linkKey(value as RelatedEntry);
  const nameOf = (value: unknown) =>
    attribute.kind === "media" ? (value as FileView).name : (value as RelatedEntry).title;
  const [before, after] = [new Set(from.map(keyOf)), new Set(to.map(keyOf))];
  const common = (values: readonly unknown[], others: ReadonlySet<string>) =>
    values.map(keyOf).filter((key) => others.has(key));
  const isMoved = common(from, after).join() !== common(to, before).join();
  const gone = from.filter((value) => !after.has(keyOf(value)));
  return (
    <ul className={styles.links}>
      {gone.map((value) => (
        <li key={keyOf(value)} className={classNames(styles.link, styles.del)}>
          <span className="visually-hidden">{t("history.removed")}: </span>
          {nameOf(value)}
        </li>
      ))}
      {to.map((value) => (
        <li key={keyOf(value)} className={classNames(styles.link, !before.has(keyOf(value)) && styles.ins)}>
          {!before.has(keyOf(value)) && <span className="visually-hidden">{t("history.added")}: </span>}
          {nameOf(value)}
        </li>
      ))}
      {isMoved && <li className={styles.note}>{t("history.order")}</li>}
    </ul>
  );
}

/** Parts of a document, item by item. */
function ItemDifferences({ attribute, path, ...sides }: DifferenceProps) {
  const items = compareItems(sides, path);
  const isOne = attribute.kind === "component" && !attribute.isMultiple;
  const same = items.filter(({ change }) => change === "same").length;
  return (
    <ol className={styles.items}>
      {items.flatMap((each) =>
        each.change === "same" ? (
          []
        ) : (
          <li key={`${each.change} ${each.item.key}`} className={styles.item} data-change={each.change}>
            <ItemHead each={each} isOne={isOne} sides={sides} path={path} />
            <Inside each={each} sides={sides} path={path} />
          </li>
        ),
      )}
      {same > 0 && <li className={styles.same}>{t("history.sameItems", { count: same })}</li>}
    </ol>
  );
}

interface ItemProps {
  readonly each: ItemDifference;
  readonly sides: TwoLeaves;
  /** Of the list. */
  readonly path: Path;
}

function ItemHead({
  each: { item, change, place, before },
  isOne,
  sides,
  path,
}: ItemProps & { readonly isOne: boolean }) {
  const component = sides.shapes.components.get(item.component);
  const leaves = change === "removed" ? sides.from : sides.to;
  const title = component?.title ? leaves.get(below(below(path, item.key), component.title)) : undefined;
  const isElsewhere = before !== null && before !== place && change !== "removed";
  return (
    <p className={styles.itemHead}>
      <strong>{[isOne ? "" : `${place}.`, component?.label ?? item.component].join(" ").trim()}</strong>
      {typeof title === "string" && <span className={styles.note}>{title}</span>}
      {change !== "changed" && change !== "moved" && (
        <span className={change === "added" ? styles.came : styles.went}>
          {t(`history.${change === "added" ? "added" : "removed"}`)}
        </span>
      )}
      {isElsewhere && <span className={styles.note}>{t("history.moved", { from: before, to: place })}</span>}
    </p>
  );
}

/** What changed in an item; of one that came or went, what it has. */
function Inside({ each: { item, change }, sides, path }: ItemProps) {
  const attributes = attributesOf(sides.shapes, item.component);
  const place = below(path, item.key);
  const here =
    { added: { ...sides, from: NOTHING }, removed: { ...sides, to: NOTHING } }[change as "added" | "removed"] ?? sides;
  return (
    <dl className={styles.inside}>
      {differing(here, attributes, place).map((name) => {
        const attribute = attributes[name];
        return (
          attribute && (
            <div key={name}>
              <dt>{attribute.label}</dt>
              <dd>
                <Difference {...here} attribute={attribute} path={below(place, name)} />
              </dd>
            </div>
          )
        );
      })}
    </dl>
  );
}

const NOTHING: TwoLeaves["from"] = new Map();
