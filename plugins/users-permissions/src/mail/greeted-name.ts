import type { Account } from "../contract.js";

/** Words that no mail program makes a link of. */
const PLAIN = /^[\p{L}\p{M}\p{N} _'’-]{1,64}$/u;

/**
 * What a mail calls its reader: the username where it is plain words, else the address. People choose their names
 * themselves and give any address, so a name must not carry an advertisement to another person.
 */
export function greetedName({ username, email }: Pick<Account, "username" | "email">): string {
  return PLAIN.test(username) ? username : email;
}
