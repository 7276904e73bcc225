import type { Attributes } from "./draft.js";
import { getAt } from "./draft.js";

/** An attribute in the form, and whether a row begins with it. */
export interface PlacedField {
  readonly name: string;
  readonly beginsRow: boolean;
}

const COLUMNS = 12;
const WIDE = ["text", "richtext", "blocks", "json", "component", "dynamiczone"];
const SMALL = ["integer", "biginteger", "float", "decimal", "boolean", "date", "time"];

/** Columns of twelve that a field takes. @source plugins/admin/src/model/form-layout.ts */
export function widthOf(attributes: Attributes, name: string): number {
  const attribute = attributes[name];
  const width = getAt(attribute, ["pluginOptions", "admin", "width"]);
  if (typeof width === "number") return width;
  const type = String(attribute?.["type"]);
  if (WIDE.includes(type)) return COLUMNS;
  return SMALL.includes(type) ? 4 : 6;
}

/** The fields of rows, one after the other. */
export const fieldsOf = (rows: readonly (readonly string[])[]): readonly PlacedField[] =>
  rows.flatMap((row) => row.map((name, index) => ({ name, beginsRow: index === 0 })));

/** The rows of fields. */
export function rowsOf(fields: readonly PlacedField[]): readonly (readonly string[])[] {
  const rows: string[][] = [];
  for (const { name, beginsRow } of fields) {
    const row = rows.at(-1);
    if (row && !beginsRow) row.push(name);
    else rows.push([name]);
  }
  return rows;
}

/** Rows that are as full as the order of the attributes allows: those of a form about which a schema says nothing. */
export function automaticRows(attributes: Attributes): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let free = 0;
  for (const name of Object.keys(attributes)) {
    const width = widthOf(attributes, name);
    const row = rows.at(-1);
    if (row && width <= free) row.push(name);
    else rows.push([name]);
    free = (row && width <= free ? free : COLUMNS) - width;
  }
  return rows;
}
