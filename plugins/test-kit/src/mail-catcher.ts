import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { Catch, type CatchFilter } from "./catch.js";

/** A mail that went nowhere. */
export interface CaughtMail {
  readonly from: string;
  /** All recipients. */
  readonly to: readonly string[];
  /** Where answers to it go; undefined: to the sender. */
  readonly replyTo: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string | undefined;
  /** The links of the mail, in their order. */
  readonly links: readonly string[];
}

/** Which mail: by its recipient, and by its subject or a part of it. */
export interface MailFilter {
  readonly to?: string;
  readonly subject?: string | RegExp;
}

/** A mail server that accepts everything and delivers nothing. */
export interface MailCatcher {
  /** `smtp://127.0.0.1:40123`, for the code that sends mails. */
  readonly url: string;
  /** Everything since the start, or since `clear`, in the order of arrival. */
  readonly all: readonly CaughtMail[];
  /**
   * The first mail that no other call of `next` got, waited for if need be: mails are often sent after the answer.
   *
   * @param options - `timeout`: milliseconds, 5,000 by default.
   * @throws PLINTH_TESTKIT_NOTHING_CAUGHT
   */
  next(filter?: MailFilter, options?: { readonly timeout?: number }): Promise<CaughtMail>;
  clear(): void;
  stop(): Promise<void>;
}

/** Starts a mail server on a free port of this machine. */
export async function catchMails(): Promise<MailCatcher> {
  const caught = new Catch<CaughtMail>("mail");
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 1_000,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: (_auth, _session, done) => done(null, { user: "anybody" }),
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      const read = async () => caught.add(await readMail(to, Buffer.concat(await stream.toArray())));
      read().then(
        () => done(),
        (error: Error) => done(error),
      );
    },
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    all: caught.all,
    next: (filter = {}, options) => caught.next(filterOf(filter), options?.timeout),
    clear: () => caught.clear(),
    stop: () => new Promise((stopped) => server.close(() => stopped())),
  };
}

function filterOf({ to, subject }: MailFilter): CatchFilter<CaughtMail> {
  const parts = [
    ...(to === undefined ? [] : [`to ${to}`]),
    ...(subject === undefined ? [] : [`with the subject ${subject}`]),
  ];
  return {
    description: parts.join(" "),
    matches: (mail) =>
      (to === undefined || mail.to.includes(to)) &&
      (subject === undefined ||
        (subject instanceof RegExp ? subject.test(mail.subject) : mail.subject.includes(subject))),
  };
}

const LINK = /https?:\/\/[^\s<>"')\]]+/g;

async function readMail(to: readonly string[], raw: Buffer): Promise<CaughtMail> {
  const { from, replyTo: [answers] = [], subject = "", text = "", html } = await PostalMime.parse(raw);
  const links = [...text.matchAll(LINK), ...(html ?? "").replaceAll("&amp;", "&").matchAll(LINK)].map(([link]) => link);
  const addresses = { from: from?.address ?? "", to, replyTo: answers?.address };
  return { ...addresses, subject, text: text.trim(), html, links: [...new Set(links)] };
}
