import type { App, WriteActor } from "@plinth/core";

/** Who planned something, as administrators see it. */
export interface Planner {
  /** `admin`, `user`, `api-token`, or a kind of the app's own. */
  readonly kind: string;
  /** Null where the account is gone, or is none of an administrator. */
  readonly name: string | null;
}

/** Content-type of administrators, which need not be there. */
const ADMINISTRATOR = "plugin::api-tokens.admin";

/**
 * Finds the names of those who planned something, in one statement. An administrator is called as they gave, else by the part of their
 * address before the `@`.
 *
 * @returns what says who somebody is; null for code
 */
export async function plannersOf(
  app: App,
  actors: readonly (WriteActor | null)[],
): Promise<(actor: WriteActor | null) => Planner | null> {
  const ids = [...new Set(actors.flatMap((actor) => (actor?.kind === "admin" && actor.id ? [actor.id] : [])))];
  const type = app.model.contentTypes.get(ADMINISTRATOR);
  const found =
    type && ids.length > 0
      ? await app.documents(ADMINISTRATOR).findMany({
          filters: { documentId: { $in: ids } },
          fields: type.attributes.has("name") ? ["name", "email"] : ["email"],
          pagination: { limit: -1 },
        })
      : [];
  const names = new Map(found.map((person) => [person.documentId, nameOf(person)]));
  return (actor) => actor && { kind: actor.kind, name: names.get(actor.id ?? "") ?? null };
}

function nameOf({ name, email }: Readonly<Record<string, unknown>>): string {
  return typeof name === "string" && name !== "" ? name : String(email ?? "").replace(/@.*$/, "");
}
