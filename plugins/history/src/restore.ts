import { type App, type CreateParams, NotFoundError } from "@plinth/core";
import { assertCan, unlimited } from "@plinth/core/access";
import type { Attribute } from "@plinth/core/schema";
import type { Restored, Restorer, VersionedDocument, VersionProblem } from "./contract.js";
import { InvalidHistoryRequestError } from "./errors.js";
import { type KeptType, sharedIn } from "./kept-types.js";
import { differing } from "./reading/equal.js";
import { type Contents, NOW, OpenHistory } from "./reading/open-history.js";
import type { Sight } from "./reading/sight.js";
import type { View } from "./reading/view.js";
import { assertVersion } from "./assert-version.js";
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
    const withPrivate = restorer.visibility !== "public";
    const history = await OpenHistory.read(app, kept, wanted, { ...restorer, withPrivate });
    const isGone = history.document.now === undefined;
    const action = `${uid}.${isGone && kept.type.kind !== "singleType" ? "create" : "update"}`;
    assertCan(restorer.ability ?? unlimited, [action]);
    await assertVersion(app, history, restorer);
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
  const { ability, author } = restorer;
  const who = { visibility: sight.visibility, author, ...(ability ? { ability } : {}) };
  const params = { data, ...who, fields: ["documentId"], ...(locale === "" ? {} : { locale }) };
  if (!isGone) {
    if (!(await documents.update({ ...params, documentId }))) throw new NotFoundError({});
  } else if (sight.type.kind === "singleType") await documents.upsertSingle(params);
  else await documents.create({ ...params, documentId });
}

/** What is written, and what is left as it is. @throws PLINTH_HISTORY_INVALID (400) */
async function changesOf(
  app: App,
  history: OpenHistory,
  { id, attributes: named }: Wanted,
  restorer: Restorer & { readonly action: string },
): Promise<{ readonly data: CreateParams["data"]; readonly left: Restored["left"] }> {
  const { sight } = history;
  const { view, compared, stored } = await history.contents(id);
  const present = await presentOf(history);
  if (named) assertRestorable(sight, named, view.data);
  const isWanted = (name: string) => named === undefined || named.includes(name);
  const reasonOf = reasonToLeave(sight, { named, restorer, isThere: present !== undefined });
  const different = differing(sight.type, present?.compared ?? null, compared).filter(isWanted);
  const of = new Map(sight.attributes.map((attribute) => [attribute.name, attribute]));
  const inputs = new RestoreInput(app.model, sight.visibility);
  const kept = new Set(sight.attributes.filter((each) => reasonOf(each) !== undefined).map(({ name }) => name));
  const told = problemsOf(view).filter(
    ({ path, problem }) => isWanted(path) && !(problem === "gone" && kept.has(path)),
  );
  const attributes = different
    .filter((name) => name in view.data && name in stored)
    .flatMap((name) => of.get(name) ?? [])
    .map((attribute) => ({ attribute, reason: reasonOf(attribute) }));
  return {
    data: Object.fromEntries(
      attributes
        .filter(({ reason }) => reason === undefined)
        .map(({ attribute: each }) => [each.name, inputs.of(each, stored[each.name], present?.stored[each.name])]),
    ),
    left: [
      ...told.map(({ path, problem }) => ({ attribute: path, reason: problem })),
      ...attributes.flatMap(({ attribute, reason }) => (reason ? [{ attribute: attribute.name, reason }] : [])),
    ],
  };
}

/** What is wrong with attributes as a whole, or leaves a component of a dynamic zone or links out, once for each attribute. */
const problemsOf = ({ problems }: View): readonly VersionProblem[] => [
  ...problems.filter(({ path, problem }) => problem !== "gone" && !path.includes(".")),
  ...attributesOf(problems, "removed", ITEM),
  ...attributesOf(problems, "gone", ANYWHERE),
];

/** The path of an item of a list: `zone.3`. */
const ITEM = /^([^.]+)\.\d+$/;

/** A path of any depth: `tags`, `zone.3.author`. */
const ANYWHERE = /^([^.]+)/;

/** The attributes that have a problem somewhere in them. @param place - finds the name of the attribute */
function attributesOf(
  problems: readonly VersionProblem[],
  wanted: VersionProblem["problem"],
  place: RegExp,
): readonly VersionProblem[] {
  const names = problems.flatMap(({ path, problem }) => (problem === wanted && place.exec(path)?.[1]) || []);
  return [...new Set(names)].map((path) => ({ path, problem: wanted }));
}

/** What the document holds now; where it is there in other locales alone, what those share; undefined where it is gone. */
async function presentOf(history: OpenHistory): Promise<Pick<Contents, "compared" | "stored"> | undefined> {
  const { document, sight } = history;
  if (document.now) return await history.contents(NOW);
  const found = sight.type.isLocalized ? await history.elsewhere() : undefined;
  if (!found) return undefined;
  const shared = sharedIn(sight.type);
  const ofAll = (data: Data) => Object.fromEntries(Object.entries(data).filter(([name]) => shared.has(name)));
  return { compared: ofAll(found.compared), stored: ofAll(found.stored) };
}

function assertRestorable({ attributes }: Sight, named: readonly string[], data: Data): void {
  const errors = named.flatMap((path) => {
    if (!attributes.some(({ name }) => name === path))
      return [{ path, message: "is no attribute that can be restored" }];
    return path in data ? [] : [{ path, message: "is not in this version" }];
  });
  if (errors.length > 0) throw new InvalidHistoryRequestError({ errors });
}

interface Restoring {
  readonly named: readonly string[] | undefined;
  readonly restorer: Restorer & { readonly action: string };
  /** Whether the document is there, in this or another locale. */
  readonly isThere: boolean;
}

/** Why an attribute stays as it is. One that is named is written, or refused by the write. */
function reasonToLeave({ type, visibility }: Sight, { named, restorer, isThere }: Restoring) {
  if (named) return () => undefined;
  const reach = (restorer.ability ?? unlimited).reachOf(restorer.action);
  const fields = reach.rows === "nothing" ? undefined : reach.fields;
  const shared = isThere ? sharedIn(type) : new Set();
  return ({ name, isWritable }: Attribute): "not writable" | "shared" | undefined => {
    if (!(isWritable || visibility === "code") || fields?.has(name) === false) return "not writable";
    return shared.has(name) ? "shared" : undefined;
  };
}
