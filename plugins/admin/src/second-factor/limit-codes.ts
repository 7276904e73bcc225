import type { ActorUser, App, HttpContext } from "@plinth/core";
import { addressGroup, type Count, createDatabaseCounters } from "@plinth/core/access";
import type { TokensConfig } from "@plinth/plugin-api-tokens";
import { TooManyCodesError } from "./errors.js";

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** Wrong codes that an account takes. Of a million codes three are right at a time: 50 a day are found in some 18 years. */
const OF_ACCOUNT = [
  { most: 10, interval: 15 * MINUTE },
  { most: 50, interval: DAY },
] as const;

/** Tries of one address in a minute, as a part of the logins that it may try. */
const PER_LOGIN = 4;

/** Where a code comes from. */
export interface CodeAttempt extends Pick<HttpContext, "ip"> {
  /** Whose it should be; undefined where that is what it says. */
  readonly account: Pick<ActorUser, "documentId"> | undefined;
  /** Called with the seconds to wait, before it is refused for its number. */
  readonly retryAfter: (seconds: number) => void;
}

/**
 * Checks a code that counts, for all processes together. Who signed in before gets no more tries than others: who knows the password may
 * sit in the same network.
 *
 * @returns what the check does; undefined, false: it was wrong
 * @throws PLINTH_ADMIN_TOO_MANY_CODES (429)
 */
export async function limitCodes<Result>(
  app: App,
  { ip, account, retryAfter }: CodeAttempt,
  check: () => Promise<Result>,
): Promise<Result> {
  const counters = createDatabaseCounters(app);
  const { loginLimit } = app.plugin("api-tokens").config as TokensConfig;
  const refuse = (count: Count): never => {
    retryAfter(Math.max(1, Math.ceil((count.endsAt - Date.now()) / 1000)));
    throw new TooManyCodesError({});
  };
  const near = { key: `admin codes|${loginLimit}|${addressGroup(ip)}`, by: 1, interval: MINUTE };
  const [here] = await counters.add([near]);
  if (here && here.value > loginLimit * PER_LOGIN) refuse(here);
  const all = account
    ? OF_ACCOUNT.map(({ most, interval }) => ({ most, interval, by: 1, key: keyOf(account, interval) }))
    : [];
  const counts = await counters.add(all);
  for (const [index, { most }] of all.entries()) {
    const count = counts[index];
    if (count && count.value > most) refuse(count);
  }
  const result = await check();
  if (result) await counters.add(all.map((each) => ({ ...each, by: -1 })));
  return result;
}

const keyOf = ({ documentId }: Pick<ActorUser, "documentId">, interval: number): string =>
  `admin codes of ${documentId}|${interval}`;
