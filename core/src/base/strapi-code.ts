import { StrapiCodeError } from "./errors.js";

/** A form of Strapi's code, how an error shows it, and what to write instead. */
interface Form {
  readonly form: string;
  /** Matches Node's own message for it. */
  readonly message: RegExp;
  readonly instead: string;
}

const APP =
  "there is no `strapi`: take `app`, as in `({ app }) => ...`, `register({ app })` or `(ctx, config, { app })`.";

const COMMON_JS = "write `export default ...` for `module.exports = ...`, and `import` for `require`.";

const FORMS: readonly Form[] = [
  { form: "the global `strapi`", message: /^strapi is not defined/, instead: APP },
  {
    form: "an import of @strapi/*",
    message: /Cannot find (?:package|module) '@strapi\//,
    instead:
      "import `createCoreController`, `createCoreService` and `createCoreRouter` from @plinth/plugin-content-api, and everything else from @plinth/core.",
  },
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
  return new StrapiCodeError({ form, place: place ?? placeOf(error) ?? "The app", instead }, { cause: error });
}

/** A file that exports by `module.exports`. */
export const commonJsIn = (file: string): Error =>
  new StrapiCodeError({ form: "CommonJS", place: file, instead: COMMON_JS });

/** A file of lifecycle functions beside a schema. */
export const lifecyclesIn = (file: string): Error =>
  new StrapiCodeError({
    form: "a lifecycles file",
    place: file,
    instead:
      "Plinth does not run it: listen in `register` of src/index.ts, with `on(writeHooks.create.before, ({ data }) => ..., { about: [uid] })`.",
  });

/** A call of Strapi's query engine, which takes the uid of a content-type. */
export const queryEngineOf = (uid: string): Error =>
  new StrapiCodeError({
    form: `db.query("${uid}")`,
    place: placeOf(new Error()) ?? "The app",
    instead: `read and write by app.documents("${uid}"), which has findMany, findFirst, findOne, count, create, update and delete.`,
  });

/** The tools that factories and hooks get, where `strapi` throws an error that names the replacement. */
export function withoutStrapi<T extends object>(tools: T): T {
  return Object.defineProperty(tools, "strapi", {
    get: () => {
      const place = placeOf(new Error()) ?? "The app";
      throw new StrapiCodeError({ form: "`{ strapi }`", place, instead: APP });
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
