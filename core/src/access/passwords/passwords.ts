import { PasswordNotTextError } from "../errors.js";
import { PasswordThreads } from "./threads.js";

/** Hashes and compares passwords, in threads of their own: either takes tens of milliseconds of a processor. */
export interface Passwords {
  /**
   * The bcrypt hash of a password, as attributes of the kind password store it.
   *
   * @throws PLINTH_PASSWORDS_BUSY (503) when too many wait
   */
  hash(password: string): Promise<string>;
  /**
   * Whether a password is the one that was hashed. Without a hash it is false and takes as long, so that the
   * time does not reveal whether an account exists.
   *
   * @throws PLINTH_PASSWORDS_BUSY (503) when too many wait
   */
  matches(password: string, hash: string | undefined): Promise<boolean>;
  /** Ends the threads. */
  close(): Promise<void>;
}

declare module "../../kernel/app.js" {
  interface App {
    /** Hashes and compares passwords without delaying other requests; from bootstrap on. */
    readonly passwords: Omit<Passwords, "close">;
  }
}

/** Cost of a hash: about 60 ms; the reference uses the same, so hashes can be exchanged. */
const ROUNDS = 10;

/**
 * @param threads - how many passwords are hashed at one time, 1 or more; threads start with the first password.
 * @param rounds - cost of a hash, 4 to 31; each one more doubles its time. Fewer than the default are for tests.
 */
export function createPasswords(threads: number, rounds = ROUNDS): Passwords {
  const pool = new PasswordThreads(threads);
  const unknown = unknownHash(rounds);
  return {
    hash: async (password) => {
      assertText(password);
      return String(await pool.run({ password, rounds }));
    },
    matches: async (password, stored) => {
      // Columns of the database hold null.
      const hash = stored ?? undefined;
      assertText(password);
      if (hash !== undefined) assertText(hash);
      const isEqual = await pool.run({ password, hash: hash ?? unknown });
      return isEqual === true && hash !== undefined;
    },
    close: () => pool.close(),
  };
}

/** A thread is sent texts only: another value ends it, or cannot be sent. @throws PLINTH_PASSWORDS_NOT_TEXT (500) */
function assertText(value: unknown): void {
  if (typeof value !== "string") throw new PasswordNotTextError({ given: typeof value });
}

/** A hash of some cost, of an unknown password. */
const unknownHash = (rounds: number): string =>
  `$2b$${String(rounds).padStart(2, "0")}$uouONrzLzbgWRKjPfa/HFu3tLx61uXMyOFKnF63FE1o8LnWzfFS6m`;
