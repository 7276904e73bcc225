import type { Laying, Populated, Row } from "./laying.js";
import type { Populate, RelationPopulate } from "./linked-rows.js";
import { listOf } from "./typed.js";

/** Links of a relation, or files, as they were left in the form: those that the form has not read stay after them. */
export function layLinks(laying: Laying, populated: Populated): unknown {
  const { populate, place, stored, attribute } = populated;
  const isMany = (attribute.kind === "relation" || attribute.kind === "media") && attribute.isMany;
  const change = laying.typed.at(place);
  if (!change) return stored ?? emptyOf(populate, isMany);
  const [mine, base] = [listOf(change.mine), listOf(change.base)];
  if (populate.kind === "count") return { count: countOf(stored) - base.length + mine.length };
  if (populate.kind === "relation") return layRelation(laying, populated, { isMany, mine, base, populate });
  if (populate.kind === "morph") return layMorph(laying, populated, { isMany, mine, base, populate });
  return stored ?? null;
}

const emptyOf = ({ kind }: Populate, isMany: boolean): unknown => {
  if (kind === "count") return { count: 0 };
  return isMany ? [] : null;
};

const countOf = (stored: unknown): number => Number((stored as { readonly count?: number } | undefined)?.count ?? 0);

/** The links of a form, and those that were there before. */
interface Links<Kind extends Populate["kind"]> {
  readonly isMany: boolean;
  readonly mine: readonly unknown[];
  readonly base: readonly unknown[];
  readonly populate: Extract<Populate, { readonly kind: Kind }>;
}

const at = (value: unknown, key: string): unknown => (Object(value) as Row)[key];

function layRelation(laying: Laying, { attribute, stored }: Populated, links: Links<"relation">): unknown {
  const { isMany, mine, base, populate } = links;
  const by = attribute.kind === "media" ? "id" : "documentId";
  const type = attribute.kind === "media" || attribute.kind === "relation" ? attribute.target : undefined;
  if (type === undefined) return stored ?? emptyOf(populate, isMany);
  const read = new Set([...mine, ...base].map((link) => at(link, by)));
  const unread = listOf(stored).filter((row) => !read.has(at(row, by)));
  const ids = [...mine, ...(isMany ? unread : [])].map((link) => at(link, by));
  const rows = laying.links.find({ type, part: populate, by }, ids);
  return isMany ? pageOf(laying, populate, rows) : (rows[0] ?? null);
}

/** The part of a list that the read asks for. */
function pageOf({ prepared }: Laying, { page, most }: RelationPopulate, rows: readonly Row[]): readonly Row[] {
  const start = page ? Number(prepared.values[page.start]) : 0;
  const limit = page ? Number(prepared.values[page.limit]) : (most ?? rows.length);
  return rows.slice(start, start + limit);
}

/** Links to several types say by `uid` in the form, and by `__type` in answers, what they are. */
function layMorph(laying: Laying, { stored }: Populated, { isMany, mine, base, populate }: Links<"morph">): unknown {
  const keyOf = (type: unknown, documentId: unknown) => `${String(type)} ${String(documentId)}`;
  const read = new Set([...mine, ...base].map((link) => keyOf(at(link, "uid"), at(link, "documentId"))));
  const unread = listOf(stored).filter((row) => !read.has(keyOf(at(row, "__type"), at(row, "documentId"))));
  const linked = mine.flatMap((link) => {
    const type = String(at(link, "uid"));
    const part = populate.items.find((item) => item.type === type);
    if (!part) return [];
    const [row] = laying.links.find({ type, part, by: "documentId" }, [at(link, "documentId")]);
    return row ? [{ __type: type, ...row }] : [];
  });
  return isMany ? [...linked, ...unread].slice(0, populate.most) : (linked[0] ?? null);
}
