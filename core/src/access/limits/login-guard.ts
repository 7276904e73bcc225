import { setTimeout as sleep } from "node:timers/promises";
import { addressGroup, wideGroup } from "./address-group.js";
import type { Counters } from "./counters.js";

/** How many wrong passwords an account takes. */
export interface LoginGuardOptions {
  readonly counters: Counters;
  /**
   * Wrong passwords in an interval from one wide network (/16 of IPv4, /32 of IPv6) where the account did not sign in
   * before.
   */
  readonly maxPerNetwork: number;
  /** The same from all of them together; beyond it they take turns, one in five seconds. */
  readonly maxPerAccount: number;
  /** In seconds. */
  readonly interval: number;
}

/** An attempt to sign in. */
export interface LoginAttempt {
  /** The same text for an account, whether by its name or its address: `user 17`. */
  readonly account: string;
  readonly address: string;
}

/** `wrong` counts; `unknown`: the password was not checked. */
export type LoginOutcome = "right" | "wrong" | "unknown";

/** Whether the password of an attempt may be checked. */
export type Admission =
  | { readonly isAdmitted: true; readonly end: (outcome: LoginOutcome) => Promise<void> }
  | { readonly isAdmitted: false; readonly retryAfter: number };

/** Prevents the guessing of passwords, without letting an attacker lock the owner of an account out. */
export interface LoginGuard {
  /** Called before a password is checked; `end` is called with the result. `retryAfter` is in seconds. */
  enter(attempt: LoginAttempt): Promise<Admission>;
  /** Notes that the owner of an account is in this network: guesses of others do not count there. */
  remember(attempt: LoginAttempt): Promise<void>;
}

const SLOT_SECONDS = 5;
/** Attempts that may wait for a turn at one account, in this process; others are rejected. */
const MAX_WAITING = 3;
/** How long a network is known after a sign-in, in seconds. */
const KNOWN_FOR = 90 * 24 * 60 * 60;

/**
 * Wrong passwords count by account, in two steps: one wide network has a budget, and is rejected beyond it; all
 * together have a larger budget, and wait in turn beyond it, so that a right password is late and not rejected.
 * Networks where the account signed in before are not counted here: there the limit by account and address holds, which
 * attackers elsewhere cannot use up.
 */
export function createLoginGuard(options: LoginGuardOptions): LoginGuard {
  const { counters, interval } = options;
  const turns = createTurns(counters);
  return {
    enter: async ({ account, address }) => {
      if ((await counters.read(knownKey({ account, address }))) > 0)
        return { isAdmitted: true, end: async () => undefined };
      const near = { key: `failures|${options.maxPerNetwork}|${account}|${wideGroup(address)}`, interval };
      const all = { key: `failures|${options.maxPerAccount}|${account}`, interval };
      const [inNetwork] = await counters.add([{ ...near, by: 1 }]);
      if (inNetwork && inNetwork.value > options.maxPerNetwork) return refusal(inNetwork.endsAt);
      const [everywhere] = await counters.add([{ ...all, by: 1 }]);
      const isOver = everywhere !== undefined && everywhere.value > options.maxPerAccount;
      if (isOver && !(await turns.take(account))) {
        await counters.add([{ ...all, by: -1 }]);
        return { isAdmitted: false, retryAfter: SLOT_SECONDS };
      }
      return { isAdmitted: true, end: (outcome) => end(counters, { account, address }, [near, all], outcome) };
    },
    remember: async (attempt) => {
      await counters.add([known(attempt)]);
    },
  };
}

type Counted = { readonly key: string; readonly interval: number };

async function end(
  counters: Counters,
  attempt: LoginAttempt,
  counted: readonly Counted[],
  outcome: LoginOutcome,
): Promise<void> {
  if (outcome === "wrong") return;
  const back = counted.map((each) => ({ ...each, by: -1 }));
  await counters.add(outcome === "right" ? [...back, known(attempt)] : back);
}

const knownKey = ({ account, address }: LoginAttempt): string => `known|${account}|${addressGroup(address)}`;

const known = (attempt: LoginAttempt) => ({ key: knownKey(attempt), by: 1, interval: KNOWN_FOR });

function refusal(endsAt: number): Admission {
  return { isAdmitted: false, retryAfter: Math.max(1, Math.ceil((endsAt - Date.now()) / 1000)) };
}

/** One turn an account every few seconds, for all processes together. */
function createTurns(counters: Counters): { take(account: string): Promise<boolean> } {
  // An account is here while a request waits: there are at most as many as connections.
  const waiting = new Map<string, number>();
  const isFirst = async (account: string): Promise<boolean> => {
    const slot = Math.floor(Date.now() / (SLOT_SECONDS * 1000));
    const [count] = await counters.add([{ key: `turn|${account}|${slot}`, by: 1, interval: 2 * SLOT_SECONDS }]);
    return count?.value === 1;
  };
  const untilNext = () => sleep(SLOT_SECONDS * 1000 - (Date.now() % (SLOT_SECONDS * 1000)) + 1);
  return {
    take: async (account) => {
      if (await isFirst(account)) return true;
      const others = waiting.get(account) ?? 0;
      if (others >= MAX_WAITING) return false;
      waiting.set(account, others + 1);
      await untilNext();
      const left = (waiting.get(account) ?? 1) - 1;
      if (left === 0) waiting.delete(account);
      else waiting.set(account, left);
      return await isFirst(account);
    },
  };
}
