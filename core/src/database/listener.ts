import pg from "pg";

/** What a listener tells. */
export interface Hearing {
  hear(payload: string): void;
  /** The connection is new, or gone: something may have been said in between. */
  missed(): void;
}

/** Hears one channel of a PostgreSQL server. */
export interface Listener {
  /** Connects, and connects again whenever that is lost; does nothing when it is open. */
  open(channel: string, hearing: Hearing): void;
  readonly isHearing: boolean;
  close(): Promise<void>;
}

/** How long until the next try after a lost connection, and between two signs of life, in milliseconds. */
const RETRY = 500;
const HEARTBEAT = 3_000;

/**
 * A listener with a connection of its own: one of the pool would be handed to others, and a pooler in front of the
 * server may not pass notifications on. A connection that does not answer within a heartbeat counts as lost, so that a
 * network that swallows everything is noticed too.
 *
 * @param connect - a client that is not connected yet.
 */
export class PostgresListener implements Listener {
  readonly #connect: () => pg.Client;
  #client: pg.Client | undefined;
  #opened: { readonly channel: string; readonly hearing: Hearing } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isHearing = false;
  #isClosed = false;
  #connecting: Promise<void> = Promise.resolve();

  constructor(connect: () => pg.Client) {
    this.#connect = connect;
  }

  get isHearing(): boolean {
    return this.#isHearing;
  }

  open(channel: string, hearing: Hearing): void {
    if (this.#opened || this.#isClosed) return;
    this.#opened = { channel, hearing };
    this.#connecting = this.#start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#connecting;
    this.#isHearing = false;
    await this.#drop();
  }

  async #start(): Promise<void> {
    const opened = this.#opened;
    if (!opened || this.#isClosed) return;
    const client = this.#connect();
    this.#client = client;
    client.on("error", () => this.#lose(client));
    client.on("end", () => this.#lose(client));
    client.on("notification", ({ payload }) => opened.hearing.hear(payload ?? ""));
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(opened.channel)}`);
    } catch {
      // Not hearing is a state that callers ask for, and the pool reports a database that is away.
      this.#lose(client);
      return;
    }
    if (this.#client !== client) return;
    opened.hearing.missed();
    this.#isHearing = true;
    this.#timer = setTimeout(() => void this.#beat(client), HEARTBEAT).unref();
  }

  async #beat(client: pg.Client): Promise<void> {
    const limit = setTimeout(() => this.#lose(client), HEARTBEAT).unref();
    try {
      await client.query("select 1");
    } catch {
      this.#lose(client);
    } finally {
      clearTimeout(limit);
    }
    if (this.#client === client) this.#timer = setTimeout(() => void this.#beat(client), HEARTBEAT).unref();
  }

  /** Says once that this connection is lost, and tries again soon. */
  #lose(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#isHearing = false;
    this.#opened?.hearing.missed();
    void this.#drop();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#connecting = this.#start();
    }, RETRY).unref();
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    clearTimeout(this.#timer);
    // The connection is given up whether or not the server still answers.
    await client?.end().catch(() => undefined);
  }
}
