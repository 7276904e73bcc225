import type { App } from "@plinth/core";
import type { EndpointAnswer } from "@plinth/core/http";
import type { VersionInfo } from "../contract.js";

/** The content-type of administrators, by its name alone: the plugin need not be installed. */
const ADMINISTRATOR = "plugin::api-tokens.admin";

/** An administrator as others see them. */
interface Person {
  readonly id: number;
  readonly name: string;
}

type Written = Pick<VersionInfo, "origin">;

/** Adds to what was written by administrators who that was, `who`: by the name they gave, else by their address before the `@`. */
export async function withAuthors(app: App, answer: EndpointAnswer): Promise<EndpointAnswer> {
  const { data } = answer.body as { readonly data: unknown };
  const isList = Array.isArray(data);
  const items = [data].flat() as readonly Written[];
  if (!items.some((item) => "origin" in Object(item))) return answer;
  const people = await namesOf(app, items);
  const named = items.map((item) => ({ ...item, who: people.get(adminOf(item) ?? "") ?? null }));
  return { ...answer, body: { data: isList ? named : named[0] } };
}

const adminOf = ({ origin }: Written): string | undefined =>
  origin?.actor?.kind === "admin" ? origin.actor.id : undefined;

async function namesOf(app: App, items: readonly Written[]): Promise<ReadonlyMap<string, Person>> {
  const ids = [...new Set(items.flatMap((item) => adminOf(item) ?? []))];
  const type = app.model.contentTypes.get(ADMINISTRATOR);
  if (!type || ids.length === 0) return new Map();
  const fields = ["documentId", "name", "email"].filter((name) => name === "documentId" || type.attributes.has(name));
  const params = { filters: { documentId: { $in: ids } }, fields, pagination: { limit: -1 } };
  const found = await app.documents(ADMINISTRATOR).findMany(params);
  return new Map(found.map(({ id, documentId, name, email }) => [documentId, { id, name: nameOf(name, email) }]));
}

function nameOf(name: unknown, email: unknown): string {
  if (typeof name === "string" && name !== "") return name;
  return typeof email === "string" ? email.replace(/@.*$/, "") : "";
}
