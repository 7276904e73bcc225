import type { PasswordPlace } from "./body-context.js";

/** Makes the hash that is stored of a password. */
export type HashPassword = (password: string) => Promise<string>;

/** Replaces passwords in clear text by their hashes, one after the other to leave the processor to others. */
export async function hashPasswords(places: readonly PasswordPlace[], hash: HashPassword): Promise<void> {
  for (const { scalars, name } of places) scalars.set(name, await hash(String(scalars.get(name))));
}
