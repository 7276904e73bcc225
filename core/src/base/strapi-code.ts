import { StrapiCodeError, type StrapiUse } from "./errors.js";

/** A form of Strapi's code, how an error shows it, and what to write instead. */
interface Form {
  readonly form: string;
  /** Matches Node's own message for it. */
  readonly message: RegExp;
  readonly instead: string;
}

/** What to write where code has `strapi`. */
export const APP =
  "there is no `strapi`: take `app`, as in `({ app }) => ...`, `register({ app })` or `(ctx, config, { app })`.";

/** What to write for CommonJS. */
export const COMMON_JS = "write `export default ...` for `module.exports = ...`, and `import` for `require`.";

/** What to write for imports of Strapi's packages. */
export const IMPORTS =
  "import `createCoreController`, `createCoreService` and `createCoreRouter` from @plinth/plugin-content-api, and everything else from @plinth/core.";

const FORMS: readonly Form[] = [
  { form: "the global `strapi`", message: /^strapi is not defined/, instead: APP },
  { form: "an import of @strapi/*", message: /Cannot find (?:package|module) '@strapi\//, instead: IMPORTS },
  { form: "CommonJS", message: /^(?:module|exports|require) is not defined/, instead: COMMON_JS },
];

/**
 * The helpful form of an error that code written for Strapi meets; undefined for any other error.
 *
 * @param place - the file that was loaded; default: what the stack of the error names.
 */
export function explainStrapiCode(error: unknown, place?: string): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const found = FORMS.find(({ message }) => message.test(error.message));
  if (!found) return undefined;
  const { form, instead } = found;
  return strapiCode({ form, place: place ?? placeOf(error) ?? "The app", instead }, error);
}

/** A file that exports by `module.exports`. */
export const commonJsIn = (file: string): Error => strapiCode({ form: "CommonJS", place: file, instead: COMMON_JS });

/** A file of lifecycle functions beside a schema. */
export const lifecyclesIn = (file: string): Error =>
  strapiCode({
    form: "a lifecycles file",
    place: file,
    instead:
      "Plinth does not run it: listen in `register` of src/index.ts, with `on(writeHooks.create.before, ({ data }) => ..., { about: [uid] })`.",
  });

/** A call of Strapi's query engine, which takes the uid of a content-type. */
export const queryEngineOf = (uid: string): Error =>
  strapiCodeAt(
    `db.query("${uid}")`,
    `read and write by app.documents("${uid}"), which has findMany, findFirst, findOne, count, create, update and delete.`,
  );

/** A form of Strapi's code that runs now; the place is that of the app's code on the stack. */
export const strapiCodeAt = (form: string, instead: string): Error =>
  strapiCode({ form, place: placeOf(new Error()) ?? "The app", instead });

/** One place that has a form of Strapi's code. */
function strapiCode(use: StrapiUse, cause?: unknown): Error {
  return new StrapiCodeError({ uses: [use] }, cause === undefined ? {} : { cause });
}

/** The tools that factories and hooks get, where `strapi` throws an error that names the replacement. */
export function withoutStrapi<T extends object>(tools: T): T {
  return Object.defineProperty(tools, "strapi", {
    get: () => {
      throw strapiCodeAt("`{ strapi }`", APP);
    },
  });
}

/** The file and line of the app's own code that comes first in a stack. */
function placeOf({ stack = "" }: Error): string | undefined {
  const frames = stack
    .split("\n")
    .filter((line) => !line.includes("node:"))
    .flatMap((line) => /\(?((?:file:\/\/)?\/[^()]+:\d+):\d+\)?$/.exec(line)?.[1] ?? []);
  const own = frames.find((frame) => !/[\\/](?:node_modules|core[\\/](?:src|dist))[\\/]/.test(frame));
  return own?.replace(/^file:\/\//, "").replace(/\?[^:]*/, "");
}
