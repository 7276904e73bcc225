import type { App } from "@plinth/core";
import { addressGroup, createDatabaseCounters, createLoginGuard } from "@plinth/core/access";
import type { LoginAttempt } from "../contract.js";
import { LoginRefusedError, TooManyLoginsError } from "../errors.js";

/** One login. */
type LoginRequest = Omit<LoginAttempt, "password">;

/** Limits the guessing of passwords, in all processes together. */
export interface LoginLimit {
  /**
   * Runs a login that counts, whether or not it is right.
   *
   * @throws PLINTH_TOKENS_TOO_MANY_LOGINS (429), and what the login throws
   */
  guard<T>(request: LoginRequest, login: () => Promise<T>): Promise<T>;
}

const MINUTE = 60;
/** Wrong passwords that an account takes in 15 minutes: from one wide network, and from all where it never signed in. */
const NETWORK_FACTOR = 4;
const ACCOUNT_FACTOR = 10;

/** Makes the limit. @param perMinute - logins of one address; the /64 network of IPv6 is one. */
export function createLoginLimit(app: App, perMinute: number): LoginLimit {
  const counters = createDatabaseCounters(app);
  const guard = createLoginGuard({
    counters,
    maxPerNetwork: Math.ceil(perMinute * NETWORK_FACTOR),
    maxPerAccount: Math.ceil(perMinute * ACCOUNT_FACTOR),
    interval: 15 * MINUTE,
  });
  const refuse = (request: LoginRequest, seconds: number): never => {
    request.retryAfter(seconds);
    throw new TooManyLoginsError({});
  };
  return {
    guard: async (request, login) => {
      const { address, email } = request;
      const [count] = await counters.add([
        { key: `admin login|${perMinute}|${addressGroup(address)}`, by: 1, interval: MINUTE },
      ]);
      if (count && count.value > perMinute) refuse(request, Math.max(1, Math.ceil((count.endsAt - Date.now()) / 1000)));
      const admission = await guard.enter({ account: `administrator ${email.toLowerCase()}`, address });
      if (!admission.isAdmitted) return refuse(request, admission.retryAfter);
      try {
        const session = await login();
        await admission.end("right");
        return session;
      } catch (error) {
        await admission.end(LoginRefusedError.is(error) ? "wrong" : "unknown");
        throw error;
      }
    },
  };
}
