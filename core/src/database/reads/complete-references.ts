import { ReadTooLargeError } from "../errors.js";
import type { Layout } from "../layout/layout.js";
import type { Filter, MorphPopulate, PreparedQuery, Query } from "./query.js";
import { mostBytesOf } from "./answer-size.js";
import { type MorphPath, morphPaths, type Step } from "./morph-paths.js";
import type { Reader } from "./read.js";

type Entry = Record<string, unknown>;

interface Reference {
  readonly __type: string;
  readonly documentId: string;
  readonly locale: string;
}

/**
 * The second trip for polymorphic relations: reads what the references of the first one point to, one statement per
 * type and locale present, and puts it in their place as `{ __type, ...entry }`. References whose target cannot be
 * seen are left out of lists and null elsewhere. References deeper inside the targets are completed by the reader.
 *
 * @returns the JSON text of the whole answer
 * @throws PLINTH_READ_TOO_LARGE (413)
 * @source core/decisions/0005-one-statement-per-read.md#consequences, polymorphic relations
 */
export async function completeReferences(
  reader: Pick<Reader, "read">,
  layout: Layout,
  prepared: PreparedQuery,
  text: string,
): Promise<string> {
  const answer = JSON.parse(text) as Entry | Entry[] | null;
  const most = mostBytesOf(prepared);
  let size = text.length;
  for (const path of morphPaths(prepared.query.selection)) {
    const holders = holdersAt(answer, path.steps.slice(0, -1));
    const key = path.populate.alias ?? path.populate.field;
    const references = holders.flatMap((holder) => listed(holder[key]));
    const targets = await readTargets(reader, layout, prepared, { path, references });
    size += sizeOf(references, targets, most - size);
    if (size > most) throw new ReadTooLargeError({ part: path.steps.map((step) => step.key).join("."), limit: most });
    for (const holder of holders) holder[key] = replaced(holder[key], targets, path.populate.most);
  }
  return JSON.stringify(answer);
}

function holdersAt(value: unknown, steps: readonly Step[]): Entry[] {
  if (Array.isArray(value)) return value.flatMap((item) => holdersAt(item, steps));
  if (value === null || typeof value !== "object") return [];
  const [step, ...rest] = steps;
  if (!step) return [value as Entry];
  const next = (value as Entry)[step.key];
  if (step.component === undefined) return holdersAt(next, rest);
  const items = Array.isArray(next) ? (next as Entry[]) : [];
  return holdersAt(
    items.filter((item) => item.__component === step.component),
    rest,
  );
}

const listed = (value: unknown): Reference[] => (Array.isArray(value) ? value : value ? [value] : []) as Reference[];
const keyOf = ({ __type, documentId, locale }: Reference) => `${__type} ${documentId} ${locale}`;

function replaced(value: unknown, targets: ReadonlyMap<string, Entry>, most?: number): unknown {
  if (!Array.isArray(value)) return value ? (targets.get(keyOf(value as Reference)) ?? null) : null;
  return (value as Reference[]).flatMap((reference) => targets.get(keyOf(reference)) ?? []).slice(0, most);
}

/** Characters that targets take where they are put, each as often as it is referred to; counting stops at `most`. */
function sizeOf(references: readonly Reference[], targets: ReadonlyMap<string, Entry>, most: number): number {
  const lengths = new Map<string, number>();
  let size = 0;
  for (const reference of references) {
    const key = keyOf(reference);
    const length = lengths.get(key) ?? JSON.stringify(targets.get(key) ?? null).length;
    lengths.set(key, length);
    size += length;
    if (size > most) break;
  }
  return size;
}

interface ReferencesAt {
  readonly path: MorphPath;
  readonly references: readonly Reference[];
}

async function readTargets(
  reader: Pick<Reader, "read">,
  layout: Layout,
  prepared: PreparedQuery,
  { path, references }: ReferencesAt,
): Promise<Map<string, Entry>> {
  const targets = new Map<string, Entry>();
  for (const group of groupsOf(references)) {
    const [first] = group;
    const query = first && targetQuery(layout, prepared, path.populate, first.__type);
    if (!first || !query) continue;
    const values = [...prepared.values, first.locale, group.map(({ documentId }) => documentId)];
    const { text } = await reader.read({ ...prepared, query, values });
    for (const entry of JSON.parse(text) as Entry[])
      targets.set(keyOf({ __type: first.__type, documentId: String(entry.documentId), locale: first.locale }), {
        __type: first.__type,
        ...entry,
      });
  }
  return targets;
}

/** References that one statement can read: those of one type in one locale. */
function groupsOf(references: readonly Reference[]): Iterable<readonly Reference[]> {
  const groups = new Map<string, Reference[]>();
  for (const reference of references) {
    const key = `${reference.__type} ${reference.locale}`;
    const group = groups.get(key);
    if (group) group.push(reference);
    else groups.set(key, [reference]);
  }
  return groups.values();
}

/** What is read of the targets may have values of its own: theirs keep their slots, and two more follow. */
function targetQuery(
  layout: Layout,
  { query, values }: PreparedQuery,
  populate: MorphPopulate,
  uid: string,
): Query | undefined {
  const item = populate.items.find(({ type }) => type === uid);
  const table = layout.tables.get(uid);
  if (!item || !table) return undefined;
  const isNamed: Filter = { op: "compare", field: "documentId", operator: "$in", value: values.length + 1 };
  return {
    type: uid,
    status: query.status,
    locale: table.type.isLocalized ? values.length : undefined,
    ...(query.fallback ? { fallback: query.fallback } : {}),
    ...(query.isWatched ? { isWatched: true } : {}),
    isOne: false,
    ...(item.visible ? { visible: item.visible } : {}),
    filter: item.filter ? { op: "and", items: [isNamed, item.filter] } : isNamed,
    sort: [],
    selection: item.selection,
    count: false,
  };
}
