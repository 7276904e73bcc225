import type { App } from "@plinth/core";
import { isPlinthError } from "@plinth/core";
import {
  buildModel,
  type ContentModel,
  type RawAttribute,
  type RawComponent,
  type RawModel,
} from "@plinth/core/schema";
import { modelViews } from "../model/model-views.js";
import { buildModelViews } from "../model/build-views.js";
import type { BuilderProblem, RawSchema, SchemaChange } from "../wire/builder.js";
import { othersOf, type RunningSchema, type SchemaFile } from "./schema-files.js";

/** What a draft would make of the content model. */
export interface DraftedModel {
  /** Undefined where the problems leave none. */
  readonly model: ContentModel | undefined;
  readonly problems: readonly BuilderProblem[];
}

/** Makes the content model of a draft, as a start with its files would; nothing is written or asked. */
export function buildDraftedModel(
  app: App,
  files: readonly SchemaFile[],
  changes: readonly SchemaChange[],
): DraftedModel {
  const malformed = changes.flatMap(formProblems);
  if (malformed.length > 0) return { model: undefined, problems: malformed };
  const drafted = draftSchemas(files, changes);
  const { defaultLocale, locales, fallbacks, openDrafts, tables } = app.model;
  const of = (shape: SchemaFile["shape"]) =>
    drafted.filter((schema) => schema.shape === shape).map(({ uid, schema }) => ({ ...schema, uid }));
  const raw = {
    contentTypes: of("type") as RawModel["contentTypes"],
    components: of("component") as readonly RawComponent[],
    ...{ defaultLocale, locales, fallbacks, openDrafts, tables },
  };
  try {
    const model = buildModel(raw);
    const byUid = new Map(drafted.map(({ uid, schema }) => [uid, schema]));
    const { problems } = buildModelViews(model, (uid) => byUid.get(uid) ?? {}, app.service(modelViews).previewOrigins);
    return { model, problems: problems.map(problemOfOptions) };
  } catch (error) {
    return { model: undefined, problems: problemsOf(error) };
  }
}

interface Drafted extends Pick<SchemaFile, "uid" | "shape"> {
  readonly schema: RunningSchema;
}

/** All schemas as a start would find them. */
function draftSchemas(files: readonly SchemaFile[], changes: readonly SchemaChange[]): readonly Drafted[] {
  const changed = new Map(changes.map((change) => [change.uid, change]));
  const known = files.flatMap((file): Drafted[] => {
    const change = changed.get(file.uid);
    if (!change) return [{ ...file, schema: file.running }];
    if (file.form === "addition") return [{ ...file, schema: withAddition(file, attributesOf(change.schema ?? {})) }];
    return change.schema === null ? [] : [{ ...file, schema: withChange(file, change.schema) }];
  });
  const fresh = changes.filter(({ uid, schema }) => schema !== null && !files.some((file) => file.uid === uid));
  return [...known, ...fresh.map(({ uid, shape, schema }) => ({ uid, shape, schema: schema as RunningSchema }))];
}

type Attributes = Readonly<Record<string, RawAttribute>>;

const attributesOf = (schema: RawSchema): Attributes => (schema["attributes"] ?? {}) as Attributes;

function withAddition(file: SchemaFile, attributes: Attributes): RunningSchema {
  return { ...file.running, attributes: { ...othersOf(file), ...attributes } };
}

/** What plugins did to the schema that runs holds for what they did it to, as long as that is the same. */
function withChange(file: SchemaFile, schema: RawSchema): RunningSchema {
  const written = attributesOf(file.own ?? {});
  const running = file.running.attributes ?? {};
  const attributes = Object.entries(attributesOf(schema)).map(([name, attribute]) => {
    const isSame = JSON.stringify(written[name]) === JSON.stringify(attribute);
    return [name, isSame ? (running[name] ?? attribute) : attribute] as const;
  });
  const added = Object.entries(file.running).filter(([key]) => !Object.hasOwn(file.own ?? {}, key));
  return {
    ...Object.fromEntries(added),
    ...schema,
    attributes: { ...Object.fromEntries(attributes), ...othersOf(file) },
  };
}

const OBJECTS = ["info", "options", "pluginOptions", "attributes"];

/** The checks of schemas read what is below these keys. */
function formProblems({ uid, schema }: SchemaChange): readonly BuilderProblem[] {
  if (schema === null) return [];
  const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  const wrong = OBJECTS.filter((key) => schema[key] !== undefined && !isObject(schema[key]));
  return wrong.map((path) => ({ uid, path, message: "is not an object", remedy: "Write an object, or remove it." }));
}

/**
 * What an error of schemas says, each problem at its place; the message of any other.
 *
 * @param places - uids by the file that a message may name in their place
 */
export function problemsOf(error: unknown, places: ReadonlyMap<string, string> = new Map()): readonly BuilderProblem[] {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!isPlinthError(cause)) continue;
    const { problems } = cause.details as { readonly problems?: readonly SaidProblem[] };
    if (cause.code === "PLINTH_SCHEMA_INVALID" && problems)
      return problems.map(({ file = "", path, message, remedy = "" }) => ({
        ...{ path, message, remedy },
        uid: places.get(file) ?? file,
      }));
    if (cause.code === "PLINTH_ADMIN_SCHEMA_OPTIONS" && problems) return problems.map(problemOfOptions);
  }
  return [{ uid: null, path: "", message: error instanceof Error ? error.message : String(error), remedy: "" }];
}

interface SaidProblem {
  readonly file?: string;
  readonly path: string;
  readonly message: string;
  readonly remedy?: string;
}

/** Paths of what schemas say to the page begin with the uid. */
function problemOfOptions({ path, message }: { readonly path: string; readonly message: string }): BuilderProblem {
  const [uid = "", ...rest] = path.split(": ");
  return { uid, path: rest.join(": "), message, remedy: "" };
}
