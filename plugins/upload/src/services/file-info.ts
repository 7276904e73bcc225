import { type Ability, type App, ForbiddenError } from "@plinth/core";
import { unlimited } from "@plinth/core/access";
import { allowed, options, parseOptions } from "@plinth/core/options";
import { parseReadParams } from "@plinth/core/reads";
import { type ContentType, isJsonDeeper } from "@plinth/core/schema";
import * as v from "@plinth/core/valibot";
import { FOLDER_TYPE } from "../content-types.js";
import type { FileInfo } from "../contract.js";
import { InfoInvalidError, type InfoProblem } from "../errors.js";
import { pathOfFolder, shareFolders } from "../folders/folder-rules.js";
import { abilityOnFiles, actionOnFiles } from "./file-ability.js";
import { assertName } from "./file-record.js";

const text = v.optional(v.nullable(v.string()));
const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
const point = options({ x: percent, y: percent });

/** What may be said of a file, as `fileInfo` and by the admin page. */
export const fileInfo = options({
  name: v.optional(v.string()),
  alternativeText: text,
  caption: text,
  focalPoint: v.optional(
    v.nullable(
      v.pipe(
        v.custom<v.InferOutput<typeof point>>((value) => v.is(point, value)),
        allowed("{ x, y } in percent"),
      ),
    ),
  ),
  folder: v.optional(
    v.nullable(v.pipe(v.union([v.string(), v.pipe(v.number(), v.safeInteger())]), allowed("the id of a folder"))),
  ),
});

/**
 * Parses the field `fileInfo`: an object, a list of them, or their JSON, once or once per file.
 *
 * @returns as many as were given, at most `count`.
 * @throws PLINTH_UPLOAD_INFO_INVALID (400), every problem at once; PLINTH_UPLOAD_NAME_INVALID (400)
 */
export function parseInfos(given: unknown, count: number): readonly FileInfo[] {
  if (given === undefined || given === "") return [];
  const problems: InfoProblem[] = [];
  const values = [given].flat().flatMap((value: unknown, index) => parseJson(value, index, problems));
  if (problems.length === 0 && values.length > count) {
    problems.push(
      problemAt("fileInfo", `must be given once per file, and was given ${values.length} times for ${count}`),
    );
  }
  const infos = values.flatMap((value, index) => {
    // A value of undefined is none: the parser of options would take it for an empty object.
    const parsed = parseOptions(fileInfo, value ?? null, values.length > 1 ? `fileInfo.${index}` : "fileInfo");
    problems.push(...(parsed.problems ?? []).map(({ path, message }) => problemAt(path, message)));
    return parsed.value ?? [];
  });
  if (problems.length > 0) throw new InfoInvalidError({ errors: problems });
  for (const { name } of infos) if (name !== undefined) assertName(name);
  return infos as readonly FileInfo[];
}

/** Checks an info from code. @throws as parseInfos does */
export function assertInfo(info: FileInfo): void {
  parseInfos(info, 1);
}

/** Checks the JSON body of a request of the admin page. @throws PLINTH_UPLOAD_INFO_INVALID (400), every problem at once */
export function parseBody<T>(schema: v.GenericSchema<unknown, T>, given: unknown): T {
  // A value of undefined is none: the parser of options would take it for an empty object.
  const { value, problems = [] } = parseOptions(schema, given ?? null, "");
  if (problems.length > 0)
    throw new InfoInvalidError({ errors: problems.map(({ path, message }) => problemAt(path, message)) });
  return value as T;
}

/** Far more than the three of a list of infos with a focal point: other keys are refused by their names. */
const MAX_LEVELS = 20;

function parseJson(value: unknown, index: number, problems: InfoProblem[]): readonly unknown[] {
  if (typeof value !== "string") return [value];
  if (isJsonDeeper(value, MAX_LEVELS)) {
    problems.push(problemAt(`fileInfo.${index}`, `must not be nested deeper than ${MAX_LEVELS} levels`));
    return [];
  }
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch (error) {
    problems.push(problemAt(`fileInfo.${index}`, `must be JSON: ${(error as Error).message}`));
    return [];
  }
}

function problemAt(path: string, text: string): InfoProblem {
  return { path: path.split("."), message: `${path} ${text}`, name: "ValidationError" };
}

/** The attributes that an info sets, and the path that follows from the folder; what is not named is not among them. */
interface InfoFields {
  readonly changes: Readonly<Record<string, unknown>>;
  readonly folderPath: string | undefined;
}

/** What is done with a file: with an info that is said of it. */
type Saying = "create" | "update";

/**
 * What an info means for the row of a file; what a rule on the action sets stands in place of what the info says of it. In the
 * transaction that writes the row.
 *
 * @param ability - who says it: they may put files into the folders that they find.
 * @throws PLINTH_UPLOAD_INFO_INVALID (400) for a folder that does not exist, or is not visible to the caller
 */
export async function infoFields(app: App, info: FileInfo, action: Saying, ability: Ability): Promise<InfoFields> {
  const set = setOf(action, ability);
  const said = Object.entries(info).filter(([key]) => !Object.hasOwn(set, key));
  const own = await fieldsOf(app, Object.fromEntries(said), ability);
  const preset = await fieldsOf(app, set, unlimited);
  return {
    changes: { ...own.changes, ...preset.changes },
    folderPath: preset.folderPath ?? own.folderPath,
  };
}

/** Whether an info, or a rule on the action, puts a file into a folder. */
export const namesFolder = (info: FileInfo, action: Saying, ability: Ability): boolean =>
  ({ ...info, ...setOf(action, ability) }).folder !== undefined;

function setOf(action: Saying, ability: Ability): FileInfo {
  const reach = abilityOnFiles(ability).reachOf(actionOnFiles(action));
  return reach.rows === "nothing" ? {} : (reach.set ?? {});
}

async function fieldsOf(app: App, info: FileInfo, ability: Ability): Promise<InfoFields> {
  const { folder, ...texts } = info;
  const named = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined));
  if (folder === undefined) return { changes: named, folderPath: undefined };
  if (folder === null) return { changes: { ...named, folder: null }, folderPath: "/" };
  shareFolders(app);
  const found = await findFolder(app, folder, ability);
  if (found === undefined) throw refusedInfo("folder", `there is no folder ${JSON.stringify(folder)}`);
  return { changes: { ...named, folder: found }, folderPath: await pathOfFolder(app, found) };
}

/**
 * @throws PLINTH_UPLOAD_INFO_INVALID (400) for attributes outside of the fields of a rule on the action
 * @throws PLINTH_ACCESS_FORBIDDEN (403) where the action is not granted
 */
export function assertInfoReached(info: FileInfo, action: Saying, ability: Ability): void {
  const reach = abilityOnFiles(ability).reachOf(actionOnFiles(action));
  if (reach.rows === "nothing") throw new ForbiddenError({});
  const { fields, set = {} } = reach;
  const refused = Object.keys(info).find((key) => fields?.has(key) === false && !Object.hasOwn(set, key));
  if (refused !== undefined) throw refusedInfo(refused, "may not be set by you");
}

/** The documentId of a folder that the caller may find, by its row id or documentId. */
async function findFolder(app: App, folder: number | string, ability: Ability): Promise<string | undefined> {
  if (!ability.can(`${FOLDER_TYPE}.find`)) return undefined;
  const key = typeof folder === "number" || /^\d{1,15}$/.test(folder) ? "id" : "documentId";
  const type = app.model.contentTypes.get(FOLDER_TYPE) as ContentType;
  const params = { filters: { [key]: folder }, fields: ["id"] };
  const options = { visibility: "code", ability, kind: "list", defaultStatus: "published" } as const;
  const [found] = (await app.documents(FOLDER_TYPE).read(parseReadParams(app.model, type, params, options))).rows();
  return found?.documentId;
}

function refusedInfo(key: string, reason: string): Error {
  const message = `fileInfo.${key}: ${reason}`;
  return new InfoInvalidError({ errors: [{ path: ["fileInfo", key], message, name: "ValidationError" }] });
}
