import type { Mail } from "../contract.js";
import { InvalidMailError } from "../errors.js";

/**
 * One address without a name: the mail server is given it as it is. A name, or a second address, would be taken for a part of
 * the mailbox, and the mail would go to somebody else.
 *
 * @source RFC 5321, 4.1.2
 */
const ADDRESS = /^(?:"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])+"|[^\s\p{Cc}@<>(),;:"\\[\]]+)@[^\s\p{Cc}@<>(),;"\\]+$/u;

/** Checks a mail before it waits for its job, where its fault would be seen by no caller. @throws PLINTH_MAIL_INVALID (500) */
export function assertMail({ to, subject, text, html }: Readonly<Partial<Record<keyof Mail, unknown>>>): void {
  const problems: string[] = [];
  if (typeof to !== "string" || !ADDRESS.test(to))
    problems.push("to must be one address without a name, such as ada@example.com");
  if (typeof subject !== "string") problems.push("subject must be a string");
  if (typeof text !== "string") problems.push("text must be a string");
  if (html !== undefined && typeof html !== "string") problems.push("html must be a string, or be left out");
  if (problems.length > 0) throw new InvalidMailError({ problems });
}
