import type { Command } from "@plinth/core";
import { type ApiToken, apiTokens, type TokenPermissions, type TokenType } from "../contract.js";
import { InvalidLifetimeError, InvalidTokenError, TokenUnknownError } from "../errors.js";

const NAME = "--name <text>";
const TYPE = "--type <type>";

const create: Command = {
  description: "make an API token; its key is printed once",
  options: {
    [NAME]: "how it is called",
    [TYPE]: "read-only, full-access, custom or admin",
    "--grant <action...>": "what a custom token may do: api::article.article.find, or a rule as JSON",
    "--expires <time>": "12h, 30d, 8w or a date (default: never)",
    "--description <text>": "what it is for",
  },
  required: [NAME, TYPE],
  run: async ({ app, options, print }) => {
    const { name, type, grant, expires, description } = options as Readonly<Record<string, string>>;
    const { accessKey, ...token } = await app.service(apiTokens).create({
      name: name ?? "",
      type: type as TokenType,
      ...(description === undefined ? {} : { description }),
      ...(grant === undefined ? {} : { permissions: [grant].flat().map(parseGrant) as TokenPermissions }),
      ...(expires === undefined ? {} : { expiresAt: parseEnd(expires, app.clock.now()) }),
    });
    print(accessKey);
    print(`This key of "${token.name}" is not shown again. ${describeEnd(token)}`);
  },
};

const list: Command = {
  description: "list API tokens",
  options: { "--json": "print JSON" },
  run: async ({ app, options, print, table }) => {
    const tokens = await app.service(apiTokens).list();
    if (options["json"]) return print(JSON.stringify(tokens, undefined, 2));
    const rows = tokens.map(({ documentId, name, type, expiresAt, lastUsedAt }) => [
      documentId,
      name,
      type,
      expiresAt ?? "never",
      lastUsedAt ?? "not yet",
    ]);
    print(tokens.length === 0 ? "There are no tokens." : table(["ID", "NAME", "TYPE", "EXPIRES", "LAST USED"], rows));
  },
};

const revoke: Command = {
  description: "end an API token, at once and everywhere",
  arguments: ["<name|id>"],
  run: async ({ app, arguments: given, print }) => {
    const name = given["name|id"] ?? "";
    const tokens = app.service(apiTokens);
    const token = await tokens.find(name);
    if (!token) throw new TokenUnknownError({ name, known: (await tokens.list()).map((known) => known.name) });
    await tokens.revoke(token.documentId);
    print(`Revoked "${token.name}".`);
  },
};

/** `plinth token create | list | revoke`. */
export const tokenCommands = { "token create": create, "token list": list, "token revoke": revoke };

/** An action, or a rule in JSON. @throws PLINTH_TOKENS_INVALID (400) */
function parseGrant(text: string): unknown {
  if (!text.startsWith("{")) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const errors = [{ path: "permissions", message: `hold a rule that is not JSON: ${text}` }];
    throw new InvalidTokenError({ errors }, { cause });
  }
}

const describeEnd = ({ expiresAt }: ApiToken): string =>
  expiresAt ? `It expires at ${expiresAt}.` : "It never expires.";

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR };

/**
 * The end of a token's life, in ISO 8601: of `30d` (`h`, `d`, `w`) from now on, or of a date; later than now.
 *
 * @param now - milliseconds since 1970.
 * @throws PLINTH_TOKENS_INVALID_LIFETIME (400)
 */
export function parseEnd(text: string, now: number): string {
  const [, count, unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const date = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  const end = count === undefined ? date : now + Number(count) * (UNITS[unit] ?? 0);
  // NaN is not later either.
  if (!(end > now)) throw new InvalidLifetimeError({ text });
  return new Date(end).toISOString();
}
