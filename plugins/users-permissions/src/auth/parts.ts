import type { App } from "@plinth/core";
import { auth, mailer } from "../contract.js";
import { mailerImpl } from "../mail/mailer-service.js";
import { rateLimits, rateLimitsImpl } from "../rate-limit/rate-limits.js";
import { sessionsImpl } from "../sessions/sessions-service.js";
import { authImpl } from "./auth-service.js";

/** The services of authentication, sessions, mails and rate limits. */
export const signingInServices = [mailerImpl, sessionsImpl, authImpl, rateLimitsImpl] as const;

/** Finishes background work, and closes connections to mail servers and Redis. */
export async function stopSigningIn({ service }: Pick<App, "service">): Promise<void> {
  await service(auth).settle();
  service(mailer).close();
  service(rateLimits).close();
}
