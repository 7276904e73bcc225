import bcrypt from "bcryptjs";
import type { PasswordPlace } from "./body-context.js";

/** Cost of a hash: about 60 ms; the reference uses the same, so its hashes and ours are alike. */
const ROUNDS = 10;

/** Replaces passwords in clear text by their bcrypt hashes, one after the other to leave the processor to others. */
export async function hashPasswords(places: readonly PasswordPlace[]): Promise<void> {
  for (const { scalars, name } of places) {
    scalars.set(name, await bcrypt.hash(String(scalars.get(name)), ROUNDS));
  }
}
