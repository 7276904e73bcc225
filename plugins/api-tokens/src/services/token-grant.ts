/** Grants of API tokens, by their types. */
import type { Grant } from "@plinth/core/access";
import type { ApiToken } from "../contract.js";

type Rights = Pick<ApiToken, "type" | "permissions">;

/** All that a token opens: one of the type admin everything, as the REST of administrators makes every other token. */
export const grantOf = (token: Rights): Grant => (token.type === "admin" ? "all" : contentGrantOf(token));

/** The grant of a token in the content API; of the type admin what its permissions say. */
export function contentGrantOf({ type, permissions }: Rights): Grant {
  if (type === "read-only") return "read";
  return type === "full-access" ? "all" : permissions;
}
