import { type App, type CreateParams, NotFoundError } from "@plinth/core";
import { assertCan, unlimited } from "@plinth/core/access";
import type { Attribute } from "@plinth/core/schema";
import type { Restored, Restorer, VersionedDocument } from "./contract.js";
import { InvalidHistoryRequestError } from "./errors.js";
import type { KeptType } from "./kept-types.js";
import { differing } from "./reading/equal.js";
import { NOW, OpenHistory } from "./reading/open-history.js";
import type { Sight } from "./reading/sight.js";
import { RestoreInput } from "./restore-input.js";
import { restoring } from "./writing/version-writer.js";

/** What is to be restored. */
export interface Wanted extends VersionedDocument {
  readonly id: string;
  /** Default: all that the restorer sees and may write. */
  readonly attributes?: readonly string[] | undefined;
}

type Data = Readonly<Record<string, unknown>>;

/** See History.restore: the values of a version as the changes of an update. */
export async function restore(app: App, kept: KeptType, wanted: Wanted, restorer: Restorer): Promise<Restored> {
  const { uid } = kept.type;
  return await app.db.transaction(async () => {
    await app.documents(uid).lock(wanted.documentId);
    const history = await OpenHistory.read(app, kept, wanted, restorer);
    const isGone = history.document.now === undefined;
    const action = `${uid}.${isGone && kept.type.kind !== "singleType" ? "create" : "update"}`;
    assertCan(restorer.ability ?? unlimited, [action]);
    const { data, left } = await changesOf(app, history, wanted, { ...restorer, action });
    const restored = Object.keys(data);
    const { documentId, locale } = history.document;
    if (isGone || restored.length > 0)
      await restoring.run({ documentId, id: wanted.id }, () => write(app, history, { data, isGone, restorer }));
    return { documentId, locale, restored, left };
  });
}

interface Change {
  readonly data: CreateParams["data"];
  /** Whether the document was deleted. */
  readonly isGone: boolean;
  readonly restorer: Restorer;
}

async function write(app: App, { document, sight }: OpenHistory, { data, isGone, restorer }: Change): Promise<void> {
  const documents = app.documents(sight.type.uid);
  const { documentId, locale } = document;
  const { ability, author, ifVersion, unlessVersion } = restorer;
  const who = { visibility: sight.visibility, author, ...(ability ? { ability } : {}) };
  const params = { data, ...who, fields: ["documentId"], ...(locale === "" ? {} : { locale }) };
  const expected = { ifVersion, unlessVersion };
  if (!isGone) {
    if (!(await documents.update({ ...params, ...expected, documentId }))) throw new NotFoundError({});
  } else if (sight.type.kind === "singleType") await documents.upsertSingle({ ...params, ...expected });
  else await documents.create({ ...params, documentId });
}

/** What is written, and what is left as it is. @throws PLINTH_HISTORY_INVALID (400) */
async function changesOf(
  app: App,
  history: OpenHistory,
  { id, attributes: named }: Wanted,
  restorer: Restorer & { readonly action: string },
): Promise<{ readonly data: CreateParams["data"]; readonly left: Restored["left"] }> {
  const { sight, document } = history;
  const { view, compared, stored } = await history.contents(id);
  const now = document.now ? await history.contents(NOW) : undefined;
  if (named) assertRestorable(sight, named, view.data);
  const isWanted = (name: string) => named === undefined || named.includes(name);
  // Attributes that are named and may not be written are refused by the write.
  const isWritable = named ? () => true : writableBy(sight, restorer);
  const different = differing(now?.compared ?? null, compared).filter(isWanted);
  const of = new Map(sight.attributes.map((attribute) => [attribute.name, attribute]));
  const inputs = new RestoreInput(app.model, sight.visibility);
  const input = (name: string) => inputs.of(of.get(name) as Attribute, stored[name], now?.content.values[name]);
  const told = view.problems.filter(({ path }) => !path.includes(".") && isWanted(path));
  const kept = different.filter((name) => name in view.data && name in stored && of.has(name));
  return {
    data: Object.fromEntries(
      kept.filter((name) => isWritable(of.get(name) as Attribute)).map((name) => [name, input(name)]),
    ),
    left: [
      ...told.flatMap(({ path, problem }) => (problem === "gone" ? [] : [{ attribute: path, reason: problem }])),
      ...kept
        .filter((name) => !isWritable(of.get(name) as Attribute))
        .map((attribute) => ({ attribute, reason: "not writable" as const })),
    ],
  };
}

function assertRestorable({ attributes }: Sight, named: readonly string[], data: Data): void {
  const errors = named.flatMap((path) => {
    if (!attributes.some(({ name }) => name === path))
      return [{ path, message: "is no attribute that can be restored" }];
    return path in data ? [] : [{ path, message: "is not in this version" }];
  });
  if (errors.length > 0) throw new InvalidHistoryRequestError({ errors });
}

/** What the restorer may write. */
function writableBy({ visibility }: Sight, { ability = unlimited, action }: Restorer & { readonly action: string }) {
  const reach = ability.reachOf(action);
  const fields = reach.rows === "nothing" ? undefined : reach.fields;
  return ({ name, isWritable }: Attribute): boolean =>
    (isWritable || visibility === "code") && (fields?.has(name) ?? true);
}
