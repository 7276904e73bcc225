// The rows that a row has in the link table of its type, read before they are changed.
import { isRelation, linkCode } from "../../database/layout/layout.js";
import type { Version } from "../../database/writes/version.js";
import type { WritePlan } from "../../database/writes/write-plan.js";
import type { WriteInput } from "../input.js";
import type { Placed } from "./link-list.js";
import type { WriteScope } from "./write-scope.js";

/** A row of the link table. */
export interface Link extends Placed {
  /** The code of the attribute in the link table. */
  readonly attribute: number;
}

/** The links of a row that a body may change, in order: of its to-many relations, and of what components hold. One read at most. */
export async function presentLinks(
  { db }: WriteScope,
  plan: WritePlan,
  row: Version,
  { relations, components }: WriteInput,
): Promise<readonly Link[]> {
  const isList = (name: string) => {
    const attribute = plan.type.attributes.get(name);
    return attribute !== undefined && isRelation(attribute) && attribute.storage === "links";
  };
  const lists = [...relations.keys()].filter(isList);
  const derived = components.size > 0 ? [...plan.codes.embedded.values()] : [];
  const codes = [...lists.map((name) => linkCode(plan.table, name)), ...derived];
  if (plan.sql.links === undefined || codes.length === 0) return [];
  const values = [row.id, codes];
  const rows = await db.query<{ link: string }>({ text: plan.sql.links.current, values, isPlan: true });
  return rows.map(({ link }) => JSON.parse(link) as Link);
}
