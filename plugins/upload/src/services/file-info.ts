import { allowed, options, parseOptions } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import type { FileInfo } from "../contract.js";
import { InfoInvalidError, type InfoProblem } from "../errors.js";
import { assertName } from "./file-key.js";

const text = v.optional(v.nullable(v.string()));
const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
const point = options({ x: percent, y: percent });

const fileInfo = options({
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

function parseJson(value: unknown, index: number, problems: InfoProblem[]): readonly unknown[] {
  if (typeof value !== "string") return [value];
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
