import { isMailAddress } from "@plinth/core/schema";
import type { Mail } from "../contract.js";
import { InvalidMailError } from "../errors.js";

type Given = Readonly<Partial<Record<keyof Mail, unknown>>>;

/** Checks a mail before it waits for its job, where its fault would be seen by no caller. @throws PLINTH_MAIL_INVALID (500) */
export function assertMail({ to, subject, text, html, replyTo }: Given): void {
  const problems: string[] = [];
  const isAddress = (value: unknown) => typeof value === "string" && isMailAddress(value);
  if (!isAddress(to)) problems.push("to must be one address without a name, such as ada@example.com");
  if (typeof subject !== "string") problems.push("subject must be a string");
  if (typeof text !== "string") problems.push("text must be a string");
  if (html !== undefined && typeof html !== "string") problems.push("html must be a string, or be left out");
  if (replyTo !== undefined && !isAddress(replyTo))
    problems.push("replyTo must be one address without a name, or be left out");
  if (problems.length > 0) throw new InvalidMailError({ problems });
}
