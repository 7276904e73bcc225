// Finds code of an app that is written for Strapi, before any of it runs: all places at once.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join, relative } from "node:path";
import jsTokens, { type Token } from "js-tokens";
import { type StrapiUse, StrapiCodeError } from "../../base/errors.js";
import { APP, COMMON_JS, IMPORTS } from "../../base/strapi-code.js";
import { STRAPI_MEMBERS, type StrapiHolder } from "../../base/strapi-members.js";
import type { ProjectPlace } from "./load-config.js";
import { listFolders, listModules } from "./read-module.js";

/** A file of code: its tokens with one space between them, without comments and what texts say. */
interface CodeFile {
  /** From the folder of the app. */
  readonly path: string;
  readonly text: string;
  readonly code: string;
  /** The line of the token that begins at an offset of `code`, or before it. */
  lineAt(offset: number): number;
}

/** A form of Strapi's code. Only what cannot be anything else: the start stops for it. */
interface Form {
  readonly form: string;
  readonly instead: string;
  /** Of `code`; global. */
  readonly pattern: RegExp;
  /** Files that hold it; default: all. */
  readonly isIn?: (file: CodeFile) => boolean;
  /** What anywhere in the app gives it another meaning, in its text. */
  readonly unless?: RegExp;
}

/** Before a name that stands for itself, and is no member of something else. */
const START = "(?<!(?<!\\.\\.)\\. )(?<![\\w$])";

/** Folders of files whose `ctx` is the context of a request. */
const WITH_CONTEXT = /(?:^|[\\/])(?:controllers|policies|middlewares)[\\/]/;
const CONTROLLER = /(?:^|[\\/])controllers[\\/]/;

/** `({ app }) =>`, where no other `app` is declared: the app. */
const TAKES_APP = /\{ (?:[^{}]* , )?app (?:, [^{}]*)?\} (?:: [^(){}]*)?[,)]/;
const OTHER_APP =
  /\b(?:const|let|var|function|class) app\b|\bapp :|\b(?:const|let|var) \{[^}]*\bapp\b|\bimport [^"]*\bapp\b/;

/** How code names an object of Strapi's, and where it may be looked for. */
const HOLDERS: Readonly<Record<StrapiHolder, { readonly name: string; readonly isIn: (file: CodeFile) => boolean }>> = {
  app: { name: "app", isIn: ({ code }) => TAKES_APP.test(code) && !OTHER_APP.test(code) },
  "app.db": { name: "app \\. db", isIn: ({ code }) => TAKES_APP.test(code) && !OTHER_APP.test(code) },
  ctx: { name: "(?:ctx|policyContext)", isIn: ({ path }) => WITH_CONTEXT.test(path) },
  "ctx.state": { name: "(?:ctx|policyContext) \\??\\. state", isIn: ({ path }) => WITH_CONTEXT.test(path) },
  "ctx.params": { name: "ctx \\??\\. params", isIn: ({ path }) => CONTROLLER.test(path) },
  this: { name: "this", isIn: ({ path, code }) => CONTROLLER.test(path) && !/\bclass\b/.test(code) },
};

const MEMBERS: readonly Form[] = (Object.keys(STRAPI_MEMBERS) as StrapiHolder[]).flatMap((holder) =>
  Object.entries(STRAPI_MEMBERS[holder]).map(([name, instead]) => ({
    form: `\`${holder}.${name}\``,
    instead,
    pattern: readsOf(HOLDERS[holder].name, name),
    isIn: HOLDERS[holder].isIn,
    unless: meaningOf(holder, name),
  })),
);

/** `ctx.state.user`, `{ user } = ctx.state`. */
function readsOf(holder: string, name: string): RegExp {
  const member = `${START}${holder} \\??\\. ${name}(?![\\w$])(?! (?:\\?\\?|\\|\\|)?= )`;
  const destructured = `\\{ (?:[^{}]* , )?${name} (?:[,:=] [^{}]*)?\\} = ${holder}(?! \\??[.[] )`;
  return new RegExp(`${member}|${destructured}`, "g");
}

/** What makes a name the app's own: a route with that parameter, a member of that name, or code that sets it. */
function meaningOf(holder: StrapiHolder, name: string): RegExp {
  if (holder === "ctx.params") return new RegExp(`:${name}\\b`);
  if (holder === "this") return new RegExp(`(?<!\\.\\s*)\\b${name}\\s*[<(:=]`);
  const set = `\\b${name}\\s*(?:\\?\\?|\\|\\|)?=(?!=)`;
  if (holder !== "ctx.state") return new RegExp(`\\b(?:ctx|app|db)\\.${set}`);
  return new RegExp(`\\bstate\\.${set}|\\bstate\\s*=|Object\\.assign\\(\\s*\\w+\\.state\\b`);
}

/** Somebody else's object of the name. */
const OTHER_STRAPI = /(?<!\{ (?:[^{}]* , )?)(?<!\. |[@/])\bstrapi\b(?! \??[.[] )/;
const TYPED_STRAPI = /\bstrapi : (?!(?:(?:Core \. )?Strapi|any)\b)/;
const IMPORTED_STRAPI = /\bimport [^"]*\bstrapi\b/;

const FORMS: readonly Form[] = [
  {
    form: "`strapi`",
    instead: APP,
    pattern: new RegExp(`${START}strapi(?= \\??[.[] )|\\{ (?:[^{}]* , )?strapi (?:, [^{}]*)?\\}(?= [,):])`, "g"),
    isIn: ({ code }) => ![OTHER_STRAPI, TYPED_STRAPI, IMPORTED_STRAPI].some((other) => other.test(code)),
  },
  {
    form: "CommonJS",
    instead: COMMON_JS,
    pattern: new RegExp(`${START}module \\. exports(?: \\. \\w+)? = `, "g"),
    isIn: ({ code }) => !/\b(?:const|let|var) module\b|\btypeof (?:module|exports)\b/.test(code),
  },
  {
    form: "`app.plugins[...]`",
    instead: "write `app.plugin(name).service(name)`.",
    pattern: new RegExp(`${START}app \\. plugins (?:\\?\\. )?\\[ "`, "g"),
    isIn: HOLDERS.app.isIn,
  },
  {
    form: '`app.db.query("api::...")`',
    instead: STRAPI_MEMBERS.app["query"] as string,
    pattern: new RegExp(`${START}app \\. db \\. query \\( "`, "g"),
    isIn: HOLDERS.app.isIn,
  },
  ...MEMBERS,
];

const IMPORT = /\b(?:from|import|require \(|import \() "(@strapi\/[\w-]+)/g;

/** A file that changes a plugin in Strapi, and is not read here. */
const EXTENSION = /(?:^|[\\/])extensions[\\/][^\\/]+[\\/]strapi-server\.[cm]?[jt]s$/;
const UNREAD = {
  form: "an extension of a plugin",
  instead:
    "write `wrap` and `on` in `register` of src/index.ts, and routes in a folder of src/api: this file is never read.",
};

/**
 * Refuses code that is written for Strapi: what would be undefined when it runs.
 *
 * @throws PLINTH_STRAPI_CODE (500) details `{ uses }`, with every place
 * @source core/guides/coming-from-strapi.md
 */
export async function assertNoStrapiCode(place: ProjectPlace): Promise<void> {
  const files = await readCode(place);
  const forms = await formsFor(place);
  const uses = files.flatMap((file) => [
    ...(EXTENSION.test(file.path) ? [{ ...UNREAD, place: file.path }] : []),
    ...importsIn(place, file),
    ...forms.flatMap((form) => usesOf(form, file, files)),
  ]);
  if (uses.length > 0) throw new StrapiCodeError({ uses });
}

/** Middlewares of others may add members to `ctx` and `ctx.state`. */
async function formsFor({ root }: ProjectPlace): Promise<readonly Form[]> {
  const file = join(root, "package.json");
  const { dependencies = {} } = existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Manifest) : {};
  const isExtended = Object.keys(dependencies).some((name) => /^(?:@koa\/|koa-|passport)/.test(name));
  return isExtended ? FORMS.filter(({ form }) => !/^`ctx\.(?!params)/.test(form)) : FORMS;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

function usesOf(
  { form, instead, pattern, isIn, unless }: Form,
  file: CodeFile,
  all: readonly CodeFile[],
): readonly StrapiUse[] {
  if (isIn?.(file) === false) return [];
  const found = [...file.code.matchAll(pattern)];
  if (found.length === 0 || (unless && all.some(({ text }) => unless.test(text)))) return [];
  return found.map(({ index }) => ({ form, instead, place: placeIn(file, index) }));
}

/** Packages of Strapi that are installed, such as its client, are the app's own business. */
function importsIn({ root }: ProjectPlace, file: CodeFile): readonly StrapiUse[] {
  return [...file.code.matchAll(IMPORT)].flatMap(({ index, 1: name = "" }) =>
    isInstalled(root, name) ? [] : [{ form: `an import of ${name}`, instead: IMPORTS, place: placeIn(file, index) }],
  );
}

/** Whether code of an app finds a package, wherever a workspace keeps it. */
function isInstalled(root: string, name: string): boolean {
  try {
    createRequire(join(root, "package.json")).resolve(name);
    return true;
  } catch (error) {
    return (error as { readonly code?: unknown }).code !== "MODULE_NOT_FOUND";
  }
}

const placeIn = ({ path, lineAt }: CodeFile, offset: number): string => `${path}:${lineAt(offset)}`;

async function readCode({ root, code }: ProjectPlace): Promise<readonly CodeFile[]> {
  const paths = [...(await codeIn(join(code, "config"))), ...(await codeIn(join(code, "src")))];
  const texts = await Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, "utf8") })));
  return texts.map(({ path, text }) => ({
    ...{ path: relative(root, path), text },
    ...(MAY_HOLD.test(text) ? takeApart(text) : { code: "", lineAt: () => 1 }),
  }));
}

/** Whether a file may hold any of the forms; others are not taken apart. */
const MAY_HOLD = /strapi|exports|\b(?:ctx|policyContext|app|this)\b/;

/** The admin page's modules of an app and of its plugins are code of the browser. */
const OF_PAGE = /[\\/]src[\\/](?:plugins[\\/][^\\/]+[\\/])?admin$/;

/** Files of code in a folder and below it. */
async function codeIn(folder: string): Promise<readonly string[]> {
  if (OF_PAGE.test(folder) || basename(folder) === "node_modules") return [];
  const own = (await listModules(folder)).filter(({ file }) => !file.endsWith(".json")).map(({ file }) => file);
  const below = (await listFolders(folder)).map((name) => codeIn(join(folder, name)));
  return [...own, ...(await Promise.all(below)).flat()];
}

const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

function takeApart(text: string): Pick<CodeFile, "code" | "lineAt"> {
  let line = 1;
  let offset = 0;
  const tokens: string[] = [];
  const starts: { readonly offset: number; readonly line: number }[] = [];
  for (const token of jsTokens(text)) {
    const shown = tokenOf(token);
    if (shown !== undefined) {
      starts.push({ offset, line });
      tokens.push(shown);
      offset += shown.length + 1;
    }
    line += token.value.match(LINE_END)?.length ?? 0;
  }
  return { code: `${tokens.join(" ")} `, lineAt: (at) => starts.findLast((start) => start.offset <= at)?.line ?? 1 };
}

/** A token without what a text says, but for names of packages of Strapi; undefined for what is no code. */
function tokenOf({ type, value }: Token): string | undefined {
  switch (type) {
    case "WhiteSpace":
    case "LineTerminatorSequence":
    case "MultiLineComment":
    case "SingleLineComment":
    case "HashbangComment":
      return undefined;
    case "StringLiteral":
      return /^.@strapi\//.test(value) ? `"${value.slice(1, -1)}"` : '""';
    case "NoSubstitutionTemplate":
    case "RegularExpressionLiteral":
      return '""';
    case "TemplateHead":
      return "`${";
    case "TemplateMiddle":
      return "}${";
    case "TemplateTail":
      return "}`";
    default:
      return value;
  }
}
