import type { FileInfo } from "../contract.js";
import { InfoInvalidError, type InfoProblem } from "../errors.js";
import { assertName } from "./file-key.js";

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What is wrong with the value of one key; undefined when nothing is. */
type Check = (value: unknown) => string | undefined;

const text: Check = (value) => (value === null || typeof value === "string" ? undefined : "must be a string or null");

const CHECKS: Readonly<Record<keyof FileInfo, Check>> = {
  name: (value) => (typeof value === "string" ? undefined : "must be a string"),
  alternativeText: text,
  caption: text,
  focalPoint: (value) => (value === null || isPoint(value) ? undefined : "must be { x, y } in percent, or null"),
  folder: (value) =>
    value === null || typeof value === "string" || Number.isSafeInteger(value)
      ? undefined
      : "must be the id of a folder, or null",
};

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
    problems.push(problemAt([], `must be given once per file, and was given ${values.length} times for ${count}`));
  }
  for (const [index, value] of values.entries()) checkInfo(value, values.length > 1 ? [String(index)] : [], problems);
  if (problems.length > 0) throw new InfoInvalidError({ errors: problems });
  const infos = values as FileInfo[];
  for (const { name } of infos) if (name !== undefined) assertName(name);
  return infos;
}

/** Checks an info from code. @throws as parseInfos does */
export function assertInfo(info: FileInfo): void {
  parseInfos(info, 1);
}

function parseJson(value: unknown, index: number, problems: InfoProblem[]): readonly unknown[] {
  if (typeof value !== "string") return [value];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch (error) {
    problems.push(problemAt([String(index)], `must be JSON: ${(error as Error).message}`));
    return [];
  }
}

function checkInfo(value: unknown, path: readonly string[], problems: InfoProblem[]): void {
  if (!isRecord(value)) {
    problems.push(problemAt(path, "must be an object"));
    return;
  }
  for (const [key, given] of Object.entries(value)) {
    const isKnown = Object.hasOwn(CHECKS, key);
    const text = isKnown
      ? CHECKS[key as keyof FileInfo](given)
      : `is not known; known are ${Object.keys(CHECKS).join(", ")}`;
    if (text !== undefined && given !== undefined) problems.push(problemAt([...path, key], text));
  }
}

function problemAt(path: readonly string[], text: string): InfoProblem {
  return {
    path: ["fileInfo", ...path],
    message: `${["fileInfo", ...path].join(".")} ${text}`,
    name: "ValidationError",
  };
}

function isPoint(value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).length !== 2) return false;
  return [value["x"], value["y"]].every((part) => typeof part === "number" && part >= 0 && part <= 100);
}
