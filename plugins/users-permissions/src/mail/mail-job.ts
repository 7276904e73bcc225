import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { type App, type ExtensionRef, extensionRef, type MailOptions } from "@plinth/core";
import type { Jobs } from "@plinth/plugin-jobs";
import type { UsersPermissionsConfig } from "../config.js";
import { type Mail, mailer } from "../contract.js";
import { SealedMailError } from "../errors.js";
import { secretsOf } from "../jwt/jwt.js";

/** The plugin jobs, by its name alone: it need not be installed. */
export const jobs: ExtensionRef<Jobs> = extensionRef<Jobs>("plugin::jobs.jobs");

const NAME = "users-permissions:mail";

/** A mail as it waits: codes are in mails, and the database holds only hashes of those elsewhere. */
interface SealedMail {
  readonly sealed: string;
}

/** A server that is down is tried for about three hours. */
export function defineMailJob(known: Jobs, config: UsersPermissionsConfig): void {
  known.define<SealedMail>({
    ...{ name: NAME, concurrency: 3, retries: 10, backoff: 10_000, timeout: 60_000 },
    run: ({ data, app }) => app.service(mailer).deliver(unseal(data, secretsOf(app, config))),
  });
}

/** Has a mail sent by a job. */
export async function enqueueMail(
  app: App,
  config: UsersPermissionsConfig,
  mail: Mail,
  options: MailOptions,
): Promise<void> {
  await app.extension(jobs).enqueue<SealedMail>(NAME, seal(mail, secretsOf(app, config)[0]), options);
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync("sha256", secret, "", "plinth mail", 32));

function seal(mail: Mail, secret: string): SealedMail {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(mail), "utf8"), cipher.final()]);
  return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64") };
}

/** @throws PLINTH_MAIL_SEALED (500) where none of the secrets fits */
function unseal({ sealed }: SealedMail, secrets: readonly string[]): Mail {
  const bytes = Buffer.from(sealed, "base64");
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  for (const secret of secrets) {
    const decipher = createDecipheriv(CIPHER, keyOf(secret), nonce, { authTagLength: TAG_BYTES }).setAuthTag(tag);
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    try {
      return JSON.parse(Buffer.concat([text, decipher.final()]).toString("utf8")) as Mail;
    } catch {
      // It was sealed with another one.
    }
  }
  throw new SealedMailError({});
}
