import type { Attribute } from "@plinth/core/schema";
import type { AttributeView } from "../wire/model.js";

type Views = Readonly<Record<string, AttributeView>>;

const COLUMNS = 12;

/** Kinds that say something in a cell of a list, which a uid beside its title does not; and how many columns there are. */
const LISTED: readonly Attribute["kind"][] = [
  ...["string", "enumeration", "boolean", "date", "datetime", "timestamp", "time", "email"],
  ...["integer", "biginteger", "float", "decimal"],
] as const;
const MOST_LISTED = 4;

const SMALL: readonly Attribute["kind"][] = [
  ...["integer", "biginteger", "float", "decimal", "boolean", "date", "time"],
] as const;
const WIDE: readonly Attribute["kind"][] = ["text", "richtext", "blocks", "json", "component", "dynamiczone"];

/** Columns of twelve that the field of a kind takes. */
export function widthOf({ kind }: Pick<Attribute, "kind">): AttributeView["width"] {
  if (WIDE.includes(kind)) return 12;
  return SMALL.includes(kind) ? 4 : 6;
}

/** The title, and the first attributes that say something in a cell. */
export function chooseList(views: Views, title: string): readonly string[] {
  const others = Object.entries(views).filter(
    ([name, { kind, isVisible }]) => name !== title && isVisible && LISTED.includes(kind),
  );
  return [...(Object.hasOwn(views, title) ? [title] : []), ...others.slice(0, MOST_LISTED).map(([name]) => name)];
}

/** The rows of a form: those that are given, and the other visible attributes in the order of the schema. */
export function chooseLayout(views: Views, given: readonly (readonly string[])[] = []): readonly (readonly string[])[] {
  const isShown = (name: string) => views[name]?.isVisible === true;
  const rows = given.map((row) => row.filter(isShown)).filter((row) => row.length > 0);
  const placed = new Set(rows.flat());
  return [
    ...rows,
    ...fill(
      views,
      Object.keys(views).filter((name) => isShown(name) && !placed.has(name)),
    ),
  ];
}

/** Rows that are as full as the order allows. */
function fill(views: Views, names: readonly string[]): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let free = 0;
  for (const name of names) {
    const width = views[name]?.width ?? COLUMNS;
    const row = rows.at(-1);
    if (row && width <= free) row.push(name);
    else rows.push([name]);
    free = (row && width <= free ? free : COLUMNS) - width;
  }
  return rows;
}
