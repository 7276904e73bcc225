import type { App } from "@plinth/core";
import type { TokenType } from "../contract.js";
import { InvalidTokenError, type TokenProblem } from "../errors.js";

const TYPES: readonly TokenType[] = ["read-only", "full-access", "custom", "admin"];
const WITH_PERMISSIONS: readonly unknown[] = ["custom", "admin"];
const KEYS = ["name", "description", "type", "permissions", "expiresAt"];

type Values = Readonly<Record<string, unknown>>;

type CheckGrant = App["permissions"]["problemsOf"];

/**
 * Checks what a token is to be, whole: of a change, the values with those that stay.
 *
 * @param checkGrant - knows the actions and attributes that there are.
 * @throws PLINTH_TOKENS_INVALID (400) details `{ errors: [{ path, message }] }`, all at once
 */
export function assertToken(values: Values, checkGrant: CheckGrant): void {
  const errors = [
    ...Object.keys(values)
      .filter((key) => !KEYS.includes(key))
      .map((path) => ({ path, message: `is not known; known are ${KEYS.join(", ")}` })),
    ...checkName(values["name"]),
    ...checkDescription(values["description"]),
    ...checkType(values["type"]),
    ...checkPermissions(values, checkGrant),
    ...checkEnd(values["expiresAt"]),
  ];
  if (errors.length > 0) throw new InvalidTokenError({ errors });
}

function checkName(name: unknown): readonly TokenProblem[] {
  if (typeof name === "string" && name.trim() !== "") return [];
  return [{ path: "name", message: "must be a string that is not empty" }];
}

function checkDescription(description: unknown): readonly TokenProblem[] {
  if (description === undefined || description === null || typeof description === "string") return [];
  return [{ path: "description", message: "must be a string" }];
}

function checkType(type: unknown): readonly TokenProblem[] {
  if (TYPES.includes(type as TokenType)) return [];
  return [{ path: "type", message: `must be one of ${TYPES.join(", ")}` }];
}

/** A custom token without permissions would look like one that opens something. */
function checkPermissions({ type, permissions }: Values, checkGrant: CheckGrant): readonly TokenProblem[] {
  const isEmpty =
    permissions === undefined || permissions === null || (Array.isArray(permissions) && permissions.length === 0);
  if (isEmpty)
    return type === "custom" ? [{ path: "permissions", message: "must list what a custom token may do" }] : [];
  if (!Array.isArray(permissions)) return [{ path: "permissions", message: "must be a list of actions and rules" }];
  if (!WITH_PERMISSIONS.includes(type))
    return [{ path: "permissions", message: "are for custom and admin tokens; the other types say it all" }];
  return checkGrant(permissions, "permissions");
}

function checkEnd(expiresAt: unknown): readonly TokenProblem[] {
  if (expiresAt === undefined || expiresAt === null) return [];
  const isDate =
    typeof expiresAt === "string" && /^\d{4}-\d\d-\d\d/.test(expiresAt) && !Number.isNaN(Date.parse(expiresAt));
  return isDate ? [] : [{ path: "expiresAt", message: "must be a date, such as 2030-01-31T00:00:00.000Z" }];
}
