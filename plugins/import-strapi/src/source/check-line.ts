import type { ExportedLines } from "./export-format.js";

type Values = Readonly<Record<string, unknown>>;

/** The problem of a line of an export, as the end of a sentence about it; undefined without one. */
export function checkLine(folder: keyof ExportedLines, line: unknown): string | undefined {
  return isObject(line) ? CHECKS[folder](line) : "is not an object";
}

const CHECKS: Readonly<Record<keyof ExportedLines, (line: Values) => string | undefined>> = {
  schemas: checkSchema,
  entities: checkEntry,
  links: ({ left, right }) => checkEnd("left", left) ?? checkEnd("right", right),
  configuration: ({ type, value }) =>
    typeof type === "string" && isObject(value) ? undefined : "is not a setting: it has no type, or no value",
};

/** Uids are names of files and tables: `api::article.article`, `shared.seo`; those of the other server are `admin::user`. */
const UID = /^(?:(?:api::)?[\w-]+\.[\w-]+|(?!api::)[\w-]+::[\w-]+(?:\.[\w-]+)*)$/;

function checkSchema({ uid, modelType, attributes, ...more }: Values): string | undefined {
  if (!isText(uid) || !UID.test(uid)) return `has an invalid uid: ${show(uid)}`;
  if (modelType !== "contentType" && modelType !== "component") return `has an invalid modelType: ${show(modelType)}`;
  if (!isObject(attributes)) return `has no attributes for ${uid}`;
  const wrong = Object.entries(attributes).find(([, attribute]) => !isObject(attribute) || !isText(attribute["type"]));
  if (wrong) return `has an attribute of ${uid} without a type: ${show(wrong[0])}`;
  const option = ["info", "options", "pluginOptions"].find((name) => more[name] != null && !isObject(more[name]));
  return option === undefined ? undefined : `has ${option} of ${uid} that are no object`;
}

function checkEntry({ type, id, data }: Values): string | undefined {
  if (!isText(type)) return `has an invalid type: ${show(type)}`;
  if (!isRowId(id)) return `has an invalid id: ${show(id)}`;
  if (!isObject(data)) return "has no data";
  const { documentId, locale } = data;
  if (!isText(documentId)) return `has an invalid documentId: ${show(documentId)}`;
  if (locale != null && typeof locale !== "string") return `has an invalid locale: ${show(locale)}`;
  const time = ["createdAt", "updatedAt", "publishedAt"].find((name) => data[name] != null && !isTime(data[name]));
  return time === undefined ? undefined : `has an invalid ${time}: ${show(data[time])}`;
}

function checkEnd(side: string, end: unknown): string | undefined {
  if (!isObject(end)) return `has no ${side} side`;
  const { type, ref, field, pos } = end;
  if (!isText(type)) return `has an invalid type on its ${side} side: ${show(type)}`;
  if (!isRowId(ref) && !isText(ref)) return `has an invalid ref on its ${side} side: ${show(ref)}`;
  if (field != null && typeof field !== "string") return `has an invalid field on its ${side} side: ${show(field)}`;
  if (pos != null && !Number.isFinite(pos)) return `has an invalid pos on its ${side} side: ${show(pos)}`;
  return undefined;
}

/** Whether a value is an object of JSON, and no array. */
export const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value is a row id, or one of a component. */
export const isRowId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** Characters that a person's name may have: no control characters, which no database key holds. */
const isText = (value: unknown): value is string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  typeof value === "string" && value !== "" && value.length <= 255 && !/[\u0000-\u001f\u007f]/.test(value);

const TIME = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

const isTime = (value: unknown): boolean =>
  typeof value === "string" && TIME.test(value) && !Number.isNaN(Date.parse(value));

/** A value as a message shows it: cut, so that a damaged one does not fill the screen. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
