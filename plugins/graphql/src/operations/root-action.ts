import type { ContentType } from "@plinth/core/schema";
import type { RootOperation } from "../plan.js";

const ACTIONS: Readonly<Record<RootOperation, string>> = {
  one: "findOne",
  list: "find",
  connection: "find",
  create: "create",
  update: "update",
  delete: "delete",
};

/**
 * The action that a generated field of Query or Mutation needs, as REST names it: `api::article.article.findOne`.
 * Single types use `find`.
 *
 * @source plugins/content-api/WIRE.md#graphql-operations
 */
export function rootAction({ uid, kind }: ContentType, operation: RootOperation): string {
  return `${uid}.${operation === "one" && kind === "singleType" ? "find" : ACTIONS[operation]}`;
}
