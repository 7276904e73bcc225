import { hash } from "node:crypto";
import type { App } from "@plinth/core";

/** What the public may read, as it was when caches were last told. */
export const RIGHTS_TABLE = {
  name: "plinth_http_cache",
  sql: [
    "create table plinth_http_cache (is_only boolean primary key default true check (is_only), rights text not null)",
  ],
};
/** The event that has the cache forget all types. */
export const RIGHTS_CHANGED = "http-cache.rights-change";

/** Milliseconds between two looks: roles, permissions and configuration have no event. */
const EVERY = 15_000;

/** No row where it is as it was. */
const NOTE = `insert into ${RIGHTS_TABLE.name} (rights) values ($1)
  on conflict (is_only) do update set rights = excluded.rights where ${RIGHTS_TABLE.name}.rights <> excluded.rights
  returning xmax <> 0 as is_changed`;

/**
 * Notices that the public may read something else, or that there are other locales or another content model, such as a private attribute
 * more after a deploy: what caches keep is not what it would get.
 */
export class PublicRights {
  /** Of the content model, which stays as it is while the app runs. */
  #model: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(private readonly app: App) {}

  /** Looks now, and every 15 s. */
  start(): void {
    const look = () => {
      this.#looking = this.look().catch((err: unknown) =>
        this.app.log.warn(
          { err },
          "It is not known whether caches keep what the public may not read; it is looked again",
        ),
      );
    };
    look();
    this.#timer = setInterval(look, EVERY).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  /** Writes the event where something has changed since any process looked. @throws PLINTH_DATABASE_* */
  async look(): Promise<void> {
    const { db, auth, model } = this.app;
    const { ability } = await auth.authenticate(undefined);
    this.#model ??= hashModel(this.app);
    const seen = [ability.key, model.defaultLocale, [...model.locales], model.openDrafts, this.#model];
    const rights = hash("sha256", JSON.stringify(seen));
    await db.transaction(async () => {
      const [row] = await db.query<{ is_changed: boolean }>({ text: NOTE, values: [rights] });
      if (row?.is_changed) await this.app.service("plugin::events.events").publish(RIGHTS_CHANGED);
    });
  }
}

/** Hashes the schemas of types and components, as files and plugins give them. */
function hashModel({ registry }: App): string {
  const schemas = (["content-type", "component"] as const).flatMap((kind) =>
    registry(kind)
      .entries()
      .map(([uid, schema]) => [kind, uid, schema] as const),
  );
  return hash("sha256", JSON.stringify(schemas.toSorted(([, a], [, b]) => (a < b ? -1 : 1))));
}
