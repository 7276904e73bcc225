import type { Account } from "../contract.js";

/** Text that no mail program turns into a link. */
const PLAIN = /^[\p{L}\p{M}\p{N} _'’-]{1,64}$/u;

/**
 * The name in the greeting of a mail: the username where it is plain words, else the address. People choose their names
 * themselves and give any address, so a name must not carry an advertisement to another person.
 */
export function greetedName({ username, email }: Pick<Account, "username" | "email">): string {
  return PLAIN.test(username) ? username : email;
}
