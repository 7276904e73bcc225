import { join } from "node:path";
import type { App } from "@plinth/core";
import { type ContentModel, planSteps, type PlannedStep } from "@plinth/core/schema";
import { modelViews } from "../model/model-views.js";
import type {
  BuilderPlan,
  BuilderProblem,
  DatabaseStep,
  PlannedFile,
  RawSchema,
  SchemaChange,
} from "../wire/builder.js";
import { buildDraftedModel } from "./draft-model.js";
import { BuilderStaleError } from "./errors.js";
import { findLosses } from "./find-losses.js";
import { baseOf, hashOf, readSchemaFiles, type SchemaFile, textOf } from "./schema-files.js";
import { newText, rewriteText } from "./schema-text.js";

/**
 * Says what a draft of schemas would do: to which files, and to the tables. Nothing is changed.
 *
 * @throws PLINTH_ADMIN_BUILDER_STALE (409) where a file is not what the draft was made from
 */
export async function planDraft(app: App, changes: readonly SchemaChange[]): Promise<BuilderPlan> {
  const schemas = await readSchemaFiles(app);
  const unplaced = changes.flatMap((change) => placeProblems(schemas, change));
  if (unplaced.length > 0) return refused(unplaced);
  const files = await Promise.all(changes.map((change) => planFile(app.root, schemas, change)));
  const stale = files.filter(({ isStale }) => isStale).map(({ path }) => path);
  if (stale.length > 0) throw new BuilderStaleError({ files: stale });
  const changed = files.filter(({ before, after }) => before !== after).map(onlyTexts);
  const { model, problems } = buildDraftedModel(app, schemas, changes);
  if (!model || problems.length > 0) return { ...refused(problems), files: changed };
  return { ...(await planTables(app, model, changed)), problems, files: changed };
}

const refused = (problems: readonly BuilderProblem[]): BuilderPlan => ({
  ...{ problems, files: [], steps: [], losses: [] },
  hash: null,
});

async function planTables(
  app: App,
  model: ContentModel,
  files: readonly PlannedFile[],
): Promise<Pick<BuilderPlan, "steps" | "losses" | "hash">> {
  const planned = await planSteps(app.db, model, { dropsEmpty: app.environment !== "production" });
  const losses = findLosses(planned, app.model, model);
  const steps = planned.map(stepView);
  const hash = hashOf(JSON.stringify([files, steps, losses, app.service(modelViews).version]));
  return { steps, losses, hash };
}

function stepView({ kind, table, column, sql, phase, lock, isDestructive, why }: PlannedStep): DatabaseStep {
  return { kind, table, column: column ?? null, sql, phase, lock, losesContent: isDestructive, why };
}

const KEBAB = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*";
const NEW_TYPE = new RegExp(`^api::(${KEBAB})\\.(${KEBAB})$`);
const NEW_COMPONENT = new RegExp(`^(${KEBAB})\\.(${KEBAB})$`);

/** Where a schema is written that is not there yet; undefined where its name fits none. */
function newPath({ uid, shape }: SchemaChange): string | undefined {
  const [, owner, name] = (shape === "type" ? NEW_TYPE : NEW_COMPONENT).exec(uid) ?? [];
  if (owner === undefined) return undefined;
  return shape === "type"
    ? `src/api/${owner}/content-types/${name}/schema.json`
    : `src/components/${owner}/${name}.json`;
}

/** Why a schema cannot be written at all. */
function placeProblems(schemas: readonly SchemaFile[], change: SchemaChange): readonly BuilderProblem[] {
  const { uid, shape, schema } = change;
  const file = schemas.find((known) => known.uid === uid);
  const problem = (message: string, remedy: string) => [{ uid, path: "", message, remedy }];
  if (file && file.shape !== shape) return problem("is the name of another schema.", "Choose another name.");
  if (file && (file.path === null || file.own === undefined))
    return problem("is not in a schema file that can be read.", "Change it where it is declared.");
  if (file?.form === "addition" && schema && Object.keys(schema).some((key) => key !== "attributes"))
    return problem("is a type of a plugin, to which only attributes can be added.", "Remove everything else.");
  if (!file && newPath(change) === undefined)
    return problem(`"${uid}" is not a name.`, 'Write names in lower case with hyphens, such as "blog-post".');
  return [];
}

interface CheckedFile extends PlannedFile {
  /** Whether it is not what the draft was made from. */
  readonly isStale: boolean;
}

const onlyTexts = ({ path, before, after }: CheckedFile): PlannedFile => ({ path, before, after });

async function planFile(root: string, schemas: readonly SchemaFile[], change: SchemaChange): Promise<CheckedFile> {
  const known = schemas.find(({ uid }) => uid === change.uid);
  const path = known?.path ?? newPath(change) ?? "";
  // One that the app does not run with may lie there nevertheless.
  const before = known ? known.text : await textOf(join(root, path));
  return {
    path,
    before,
    after: textAfter(before, change.schema, known?.own),
    isStale: baseOf({ text: before }) !== change.base,
  };
}

function textAfter(before: string | null, schema: RawSchema | null, own: RawSchema = {}): string | null {
  if (schema === null) return null;
  const ordered = withAttributesLast(schema, own);
  return before === null ? newText(ordered) : rewriteText(before, ordered);
}

/** Keys that were added stand before the attributes, which are the long part of a file. */
function withAttributesLast(schema: RawSchema, own: RawSchema): RawSchema {
  const entries = Object.entries(schema);
  const at = entries.findIndex(([key]) => key === "attributes");
  const isAdded = ([key]: readonly [string, unknown], index: number) => index > at && !Object.hasOwn(own, key);
  if (at === -1 || !entries.some(isAdded)) return schema;
  const added = entries.filter(isAdded);
  const rest = entries.slice(at).filter((entry) => !added.includes(entry));
  return Object.fromEntries([...entries.slice(0, at), ...added, ...rest]);
}
