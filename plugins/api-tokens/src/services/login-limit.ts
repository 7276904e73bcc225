import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { TooManyLoginsError } from "../errors.js";

/** Lets nobody guess passwords at leisure. */
export interface LoginLimit {
  /**
   * Counts a login, whether or not it is right.
   *
   * @param address - of the client, as the server sees it.
   * @throws PLINTH_TOKENS_TOO_MANY_LOGINS (429); `retryAfter` is told in seconds
   */
  count(address: string, email: string, retryAfter: (seconds: number) => void): Promise<void>;
}

const MINUTE = 60;
/** Somebody's guesses from many addresses are slowed down without shutting the account's owner out at once. */
const ACCOUNT_FACTOR = 4;

/** Makes the limit, for this process. @param perMinute - logins of one address. */
export function createLoginLimit(perMinute: number): LoginLimit {
  const byAddress = new RateLimiterMemory({ points: perMinute, duration: MINUTE });
  const byAccount = new RateLimiterMemory({ points: perMinute * ACCOUNT_FACTOR, duration: MINUTE });
  return {
    count: async (address, email, retryAfter) => {
      try {
        await byAddress.consume(address);
        await byAccount.consume(email.toLowerCase());
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        retryAfter(Math.ceil(refusal.msBeforeNext / 1000));
        throw new TooManyLoginsError({});
      }
    },
  };
}
