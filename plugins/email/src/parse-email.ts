import type { WrittenMail } from "@plinth/core";
import { allowed, noList, parseOptions } from "@plinth/core/options";
import { isMailAddress } from "@plinth/core/schema";
import * as v from "@plinth/core/valibot";
import type { EmailConfig } from "./config.js";
import { type EmailProblem, InvalidEmailError } from "./errors.js";

const MAX_SUBJECT_LENGTH = 255;

/** Of the text, and of the HTML. As JSON a byte may become six, and what waits for a job has at most 740,000. */
const MAX_BYTES = 60_000;

const content = v.pipe(v.string(), v.nonEmpty(), v.maxBytes(MAX_BYTES), allowed(`a string of 1 to ${MAX_BYTES} bytes`));

/** A line break in the subject could start a header of its own. */
const isOneLine = (text: string) => !/[\p{Cc}\u2028\u2029]/u.test(text);

/** What the OpenAPI document shows of a check by code. */
const FOR_CLIENTS: v.MetadataAction<string, { readonly format: "email" }> = v.metadata({ format: "email" });

/** The body of `POST /api/email`. */
export const emailBody = noList(
  v.strictObject({
    to: v.pipe(
      v.string(),
      v.nonEmpty(),
      v.maxLength(30_000),
      allowed("an address, or several with commas between them"),
      FOR_CLIENTS,
      v.description("The recipient, or several with commas between them: each gets a mail of their own"),
    ),
    subject: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(MAX_SUBJECT_LENGTH),
      v.check(isOneLine),
      allowed(`one line of 1 to ${MAX_SUBJECT_LENGTH} characters`),
    ),
    text: content,
    html: v.optional(content),
    replyTo: v.optional(
      v.pipe(
        v.string(),
        v.check(isMailAddress),
        allowed("one address without a name, such as ada@example.com"),
        FOR_CLIENTS,
        v.description("Where answers to the mail go"),
      ),
    ),
  }),
);

const EACH = "is not taken: name every recipient in to, each gets a mail of their own";

/** What Strapi takes beside the keys of the body, and why it is refused. */
const NOT_TAKEN: Readonly<Record<string, string>> = {
  from: "is not taken: the server's configuration names the sender; replyTo says where answers go",
  cc: EACH,
  bcc: EACH,
};

/** A mail to each of its recipients. */
export interface ParsedEmail {
  /** Each once. */
  readonly recipients: readonly string[];
  readonly mail: Omit<WrittenMail, "to">;
}

/**
 * Reads the body of a request as a mail.
 *
 * @throws PLINTH_EMAIL_INVALID (400) details `{ errors: [{ path, message }] }`: all problems at once
 */
export function parseEmail(body: unknown, config: Readonly<EmailConfig>): ParsedEmail {
  const { value, problems } = parseOptions(emailBody, body, "");
  if (problems) {
    const errors = problems.map(({ path, message }) => ({ path, message: NOT_TAKEN[path] ?? message }));
    throw new InvalidEmailError({ errors });
  }
  const { to, ...mail } = value;
  const named = to.split(",").map((each) => each.trim());
  const recipients = [...new Map(named.map((each) => [withoutCase(each), each])).values()];
  const errors = recipientProblems(recipients, config);
  if (errors.length > 0) throw new InvalidEmailError({ errors });
  return { recipients, mail };
}

function recipientProblems(recipients: readonly string[], config: Readonly<EmailConfig>): readonly EmailProblem[] {
  const { maxRecipients, recipients: known } = config;
  const path = "to";
  if (recipients.length > maxRecipients) {
    return [{ path, message: `names ${recipients.length} recipients, and may name ${maxRecipients}` }];
  }
  return recipients.flatMap((each) => {
    if (!isMailAddress(each)) {
      return [
        { path, message: `must be addresses without names, such as ada@example.com, and has ${JSON.stringify(each)}` },
      ];
    }
    return known === undefined || isKnown(each, known)
      ? []
      : [{ path, message: `has ${each}, to which this server sends no mails` }];
  });
}

/** Letter case makes no other recipient. Letters beyond ASCII do: the Kelvin sign is no `k`. */
const withoutCase = (address: string): string => address.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** What is allowed must not depend on how a client writes it. Old servers hand `a%b@c` and `b!a@c` on to `b`. */
function isKnown(address: string, known: readonly string[]): boolean {
  const given = withoutCase(address);
  const at = given.lastIndexOf("@");
  const domain = /[%!]/.test(given.slice(0, at)) ? undefined : given.slice(at);
  return known.map(withoutCase).some((entry) => entry === given || entry === domain);
}
