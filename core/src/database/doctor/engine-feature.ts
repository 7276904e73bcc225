import type { Client } from "pg";
import { reasonOf } from "../../base/error.js";
import type { Engine } from "../driver/engine.js";
import type { SessionSettings } from "../driver/session-settings.js";

/** Where features are tried. */
export interface Trial {
  /** Outside of any transaction. */
  readonly session: Client;
}

/** A server, which has several sessions. */
export interface ServerTrial extends Trial {
  /** Another session of the same role. */
  readonly other: Client;
  /** What every session of the app has to have set. */
  readonly settings: SessionSettings;
  /** Begins one more session, whose connection asks for the settings; it is ended with the trial. */
  connect(): Promise<Client>;
}

/** Something that Plinth uses of PostgreSQL. */
export interface Feature<Place extends Trial> {
  readonly name: string;
  readonly isNeeded: boolean;
  /** What Plinth does without it. */
  readonly without: string;
  /** An engine that Plinth works with all the same. */
  readonly isSparedOn?: Engine;
  /** Uses it. @returns why it is not what it has to be; undefined: it is. Throws what the server answers. */
  readonly use: (place: Place) => Promise<string | undefined>;
}

/** A feature that was tried. */
export interface TriedFeature extends Pick<Feature<Trial>, "name" | "isNeeded" | "without"> {
  readonly works: boolean;
  /** Why it does not; empty where it does. */
  readonly reason: string;
}

/** Tries one after the other: they share the sessions. */
export async function tryFeatures<Place extends Trial>(
  features: readonly Feature<Place>[],
  place: Place,
  engine: Engine,
): Promise<readonly TriedFeature[]> {
  const tried: TriedFeature[] = [];
  for (const { name, isNeeded, without, isSparedOn, use } of features) {
    const reason = await use(place).catch((error: unknown) => reasonOf(error) || "it failed");
    const works = reason === undefined;
    tried.push({ name, isNeeded: isNeeded && isSparedOn !== engine, without, works, reason: reason ?? "" });
  }
  return tried;
}

const WRONG = "the answer is another one than that of PostgreSQL";

/** Runs statements; the last one has to have one row, with `works` true. */
export const answers =
  (...statements: readonly string[]) =>
  async ({ session }: Trial): Promise<string | undefined> => {
    let rows: readonly { readonly works?: unknown }[] = [];
    for (const text of statements) rows = (await session.query<{ works?: unknown }>(text)).rows;
    return rows[0]?.works === true ? undefined : WRONG;
  };

/** The same in a transaction, which is rolled back: nothing of it stays. */
export const answersInTransaction = (...statements: readonly string[]) => {
  const ask = answers(...statements);
  return async (place: Trial): Promise<string | undefined> => {
    await place.session.query("begin");
    return await ask(place).finally(() => place.session.query("rollback"));
  };
};
