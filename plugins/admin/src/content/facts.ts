import type { Facts as CoreFacts, Person as CorePerson } from "@plinth/core";
import type { Person } from "../wire/account.js";
import type { Facts } from "../wire/content.js";

/** Facts of a row, as far as they were asked for. */
export type StoredFacts = Partial<CoreFacts>;

/** Facts as the page gets them. */
export function factsOf({ state = "published", createdBy, updatedBy, locales = [] }: StoredFacts): Facts {
  return { state, createdBy: personOf(createdBy), updatedBy: personOf(updatedBy), locales };
}

/** A person by the name they gave, else by the part of their e-mail address before the `@`: the rest is not for others. */
export function personOf(person: CorePerson | null | undefined): Person | null {
  if (!person) return null;
  const { id, name, email } = person;
  if (typeof name === "string" && name !== "") return { id, name };
  return { id, name: typeof email === "string" ? email.replace(/@.*$/, "") : "" };
}
