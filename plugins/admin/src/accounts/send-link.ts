import type { App, HttpContext } from "@plinth/core";
import { pageAddress } from "../second-factor/site.js";
import type { SentLink } from "../wire/accounts.js";
import { accountMails, type Recipient } from "./account-mails.js";

/** A link for somebody, made by an administrator. */
interface NewLink {
  readonly kind: "invitation" | "reset";
  /** Below the page's address: `/admin/reset#<code>`. */
  readonly path: string;
  readonly hours: number;
}

/**
 * Sends a link by mail. Who makes it sees it where no mail goes out: none can, it is kept on this machine, or the mail server failed.
 */
export async function sendLink(
  app: App,
  ctx: HttpContext,
  to: Recipient,
  { kind, path, hours }: NewLink,
): Promise<SentLink> {
  const mails = app.service(accountMails);
  const link = `${pageAddress(app, ctx)}${path}`;
  if (mails.way === "none") return { isSent: false, link };
  try {
    await mails.send(kind, to, { link, hours });
    return { isSent: true, link: mails.way === "sent" ? null : link };
  } catch (err) {
    app.log.error({ err }, `A mail could not be sent: ${kind}`);
    return { isSent: false, link };
  }
}
