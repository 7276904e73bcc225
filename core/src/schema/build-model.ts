import { buildComponent, buildContentType } from "./build-content-type.js";
import { checkCycles, checkComponents } from "./check-components.js";
import { checkNames } from "./check-names.js";
import { checkRelations } from "./check-relations.js";
import { SchemaInvalidError } from "./errors.js";
import { type ContentModel, type ModelLocales, NO_FILE_TYPE } from "./model.js";
import type { RawModel, RawShape } from "./raw.js";
import { reportInto } from "./schema-problem.js";
import type { Report, SchemaProblem } from "./schema-problem.js";

/** Locale of an app that names none. */
const DEFAULT_LOCALE = "en";

/**
 * Makes the content model from the schemas of the app and its plugins: first each by itself, then their
 * references. Pure; the result is frozen, but for its locales.
 *
 * @throws PLINTH_SCHEMA_INVALID (500) details `{ problems: [{ file, path, message, remedy }] }`: all of all schemas.
 */
export function buildModel(raw: RawModel): ContentModel {
  const problems: SchemaProblem[] = [];
  const reportOf = ({ file, uid }: { readonly file?: string | undefined; readonly uid: string }) =>
    reportInto(problems, file ?? uid);
  const [fileType, ...others] = raw.contentTypes.filter(({ files }) => files !== undefined);
  for (const other of others)
    reportOf(other)("files", `${fileType?.uid} holds the files of this app already.`, "Remove one of the two.");
  const mediaTarget = fileType?.uid ?? NO_FILE_TYPE;
  const components = buildShapes(
    raw.components ?? [],
    (component, report) => buildComponent(component, mediaTarget, report),
    reportOf,
  );
  const contentTypes = buildShapes(
    raw.contentTypes,
    (type, report) => buildContentType(type, mediaTarget, report),
    reportOf,
  );

  for (const shape of [...contentTypes.values(), ...components.values()]) {
    checkRelations(shape, contentTypes, reportOf(shape));
    checkComponents(shape, components, reportOf(shape));
  }
  checkNames([...contentTypes.values()], reportOf);
  checkCycles(components, reportOf);
  if (problems.length > 0) throw new SchemaInvalidError({ problems });

  const { defaultLocale = DEFAULT_LOCALE, locales = [], fallbacks = new Map() } = raw;
  const { openDrafts = false } = raw;
  return withLocales(
    { contentTypes, components, openDrafts, fileType: fileType?.uid },
    { defaultLocale, locales, fallbacks },
  );
}

/** The one part of a model that changes: a locale that is added must not make plans of statements again. */
function withLocales(shapes: Omit<ContentModel, keyof ModelLocales | "useLocales">, first: ModelLocales): ContentModel {
  const complete = ({ defaultLocale, locales, fallbacks = new Map() }: ModelLocales): Required<ModelLocales> =>
    Object.freeze({ defaultLocale, locales: Object.freeze([...new Set([defaultLocale, ...locales])]), fallbacks });
  let current = complete(first);
  return Object.freeze({
    ...shapes,
    get defaultLocale() {
      return current.defaultLocale;
    },
    get locales() {
      return current.locales;
    },
    get fallbacks() {
      return current.fallbacks;
    },
    useLocales: (next: ModelLocales) => {
      current = complete(next);
    },
  });
}

/** Builds each schema under its uid; the second of two with one uid is a problem. */
function buildShapes<Raw extends RawShape, Built>(
  raws: readonly Raw[],
  build: (raw: Raw, report: Report) => Built,
  reportOf: (raw: Raw) => Report,
): ReadonlyMap<string, Built> {
  const shapes = new Map<string, Built>();
  for (const raw of raws) {
    if (shapes.has(raw.uid)) {
      reportOf(raw)("uid", `There are two schemas with the uid "${raw.uid}".`, "Rename or remove one of the two.");
    } else {
      shapes.set(raw.uid, build(raw, reportOf(raw)));
    }
  }
  return shapes;
}
