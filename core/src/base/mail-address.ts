/**
 * One address without a name: a mail server is given it as it is. A name, or a second address, would be taken for a part of
 * the mailbox, and the mail would go to somebody else.
 *
 * @source RFC 5321, 4.1.2
 */
const ADDRESS = /^(?:"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])+"|[^\s\p{Cc}@<>(),;:"\\[\]]+)@[^\s\p{Cc}@<>(),;"\\]+$/u;

/** The longest address. @source RFC 5321, 4.5.3.1, with errata 1690 of RFC 3696 */
const MAX_LENGTH = 254;

/** Whether a text is one address that a mail can go to, without a name: `ada@example.com`. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text);
}
