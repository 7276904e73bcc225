import type { App } from "@plinth/core";
import { allowed, noList, parseOptions } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import type { ApiToken } from "../contract.js";
import { InvalidTokenError, type TokenProblem } from "../errors.js";

const WITH_PERMISSIONS: readonly unknown[] = ["custom", "admin"];

const TEXT = { type: "string", minLength: 1 };
const ITEM = { anyOf: [TEXT, { type: "object", required: ["action"], properties: { action: TEXT } }] };

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));

const token = v.strictObject({
  name: v.pipe(
    v.string(),
    v.nonEmpty(),
    v.check((name) => name.trim() !== ""),
    allowed("a string that is not empty"),
  ),
  description: v.optional(v.nullable(v.string())),
  type: v.picklist(["read-only", "full-access", "custom", "admin"]),
  permissions: v.optional(
    v.nullable(
      v.pipe(
        v.array(v.unknown()),
        allowed("a list of actions and rules"),
        v.metadata({ items: ITEM }),
        v.description("Actions, and rules for some rows or fields"),
      ),
    ),
  ),
  expiresAt: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.check(isDate),
        allowed("a date, such as 2030-01-31T00:00:00.000Z"),
        v.metadata({ format: "date-time" }),
      ),
    ),
  ),
});

/** The body that makes a token. */
export const newTokenBody = noList(token);

/** The body that changes one. */
export const tokenBody = noList(v.partial(token));

type Values = Readonly<Record<string, unknown>>;

type CheckGrant = App["permissions"]["problemsOf"];

/**
 * Checks the whole token: after a change, the new values with the unchanged ones.
 *
 * @param checkGrant - knows the actions and attributes that there are.
 * @throws PLINTH_TOKENS_INVALID (400) details `{ errors: [{ path, message }] }`, all at once
 */
export function assertToken(values: Values, checkGrant: CheckGrant): void {
  const { problems = [] } = parseOptions(newTokenBody, values, "");
  const errors = [...problems, ...checkPermissions(values, checkGrant)];
  if (errors.length > 0) throw new InvalidTokenError({ errors });
}

/**
 * Checks the end of a token that a request makes or changes: one that has expired already opens nothing, and is a typing error.
 *
 * @param now - milliseconds since 1970
 * @param before - the token as it was: one that has expired can still get another name
 * @throws PLINTH_TOKENS_INVALID (400)
 */
export function assertEndsLater({ expiresAt }: Ending, now: number, before?: Ending): void {
  if (expiresAt === null || expiresAt === before?.expiresAt || Date.parse(expiresAt) > now) return;
  throw new InvalidTokenError({ errors: [{ path: "expiresAt", message: "must be later than now" }] });
}

type Ending = Pick<ApiToken, "expiresAt">;

/** What is wrong with a list of permissions. A custom token without any would have no effect. */
function checkPermissions({ type, permissions }: Values, checkGrant: CheckGrant): readonly TokenProblem[] {
  const list = permissions ?? [];
  if (!Array.isArray(list)) return [];
  if (list.length === 0)
    return type === "custom" ? [{ path: "permissions", message: "must list what a custom token may do" }] : [];
  if (!WITH_PERMISSIONS.includes(type))
    return [{ path: "permissions", message: "are for custom and admin tokens; the other types say it all" }];
  return checkGrant(list, "permissions");
}
