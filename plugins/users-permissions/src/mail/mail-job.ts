import { type App, type ExtensionRef, extensionRef, type MailOptions } from "@plinth/core";
import type { Jobs } from "@plinth/plugin-jobs";
import type { UsersPermissionsConfig } from "../config.js";
import { type Mail, mailer } from "../contract.js";
import { MailTooLargeError } from "../errors.js";
import { secretsOf } from "../jwt/jwt.js";
import { type Sealed, seal, unseal } from "./seal.js";

/** The plugin jobs, by its name alone: it need not be installed. */
export const jobs: ExtensionRef<Jobs> = extensionRef<Jobs>("plugin::jobs.jobs");

const NAME = "users-permissions:mail";

/** A server that is down is tried for about three hours. */
export function defineMailJob(known: Jobs, config: UsersPermissionsConfig): void {
  known.define<Sealed>({
    ...{ name: NAME, concurrency: 3, retries: 10, backoff: 10_000, timeout: 60_000 },
    run: ({ data, app }) => app.service(mailer).deliver(unseal<Mail>(data, secretsOf(app, config))),
  });
}

/** Bytes of a mail as JSON: sealed, it is a third larger, and a job has at most a million characters of data. */
const LARGEST_MAIL = 740_000;

/** Has a mail sent by a job. @throws PLINTH_MAIL_TOO_LARGE (500) */
export async function enqueueMail(
  app: App,
  config: UsersPermissionsConfig,
  mail: Mail,
  options: MailOptions,
): Promise<void> {
  const size = Buffer.byteLength(JSON.stringify(mail));
  if (size > LARGEST_MAIL) throw new MailTooLargeError({ size, limit: LARGEST_MAIL });
  await app.extension(jobs).enqueue<Sealed>(NAME, seal(mail, secretsOf(app, config)[0]), options);
}
