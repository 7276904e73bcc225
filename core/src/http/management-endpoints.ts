/** What the management port answers to a path. */
export interface ManagementAnswer {
  /** The Content-Type, such as `text/plain; version=0.0.4`. */
  readonly type: string;
  readonly body: string;
}

/**
 * Something that an app says of itself to those who run it, by `GET` on the management port: `management: { metrics: { path:
 * "/metrics", read, combine } }` of a plugin. Several workers (`plinth start --workers`) answer as one: each is read, and one
 * of them combines the texts.
 */
export interface ManagementEndpoint {
  /** Of the management port, such as `/metrics`. A route with this path on the main port is exempt from `server.limits`. */
  readonly path: string;
  /** What this process says of itself, in any form that `combine` reads; a worker is asked once more when it serves no client any more. */
  read(): string | Promise<string>;
  /**
   * Makes the answer of what all processes said.
   *
   * @param living - one text a process; without workers there is one.
   * @param ended - what `keep` made of those that have ended since the start; undefined where none has.
   */
  combine(living: readonly string[], ended: string | undefined): ManagementAnswer | Promise<ManagementAnswer>;
  /** What stays of processes that have ended, of their last texts: sums must not fall. Default: nothing stays. */
  keep?(texts: readonly string[]): string | Promise<string>;
}

declare module "../kernel/registries.js" {
  interface Registries {
    management: ManagementEndpoint;
  }
}

/** Answers for all workers of which this process is one, by the path; undefined for a path that none knows. */
export type AskAll = (path: string) => Promise<ManagementAnswer | undefined>;

/** The endpoints of the management port, as a process answers them. */
export class ManagementEndpoints {
  /**
   * @param list - those that were declared.
   * @param askAll - where the process is one of several workers.
   */
  constructor(
    private readonly list: () => readonly ManagementEndpoint[],
    private readonly askAll?: AskAll,
  ) {}

  /** The answer of the whole app, from any of its workers; undefined for a path that is not declared. */
  async ask(path: string): Promise<ManagementAnswer | undefined> {
    if (this.askAll) return this.askAll(path);
    const text = await this.read(path);
    return text === undefined ? undefined : this.combine(path, [text], undefined);
  }

  /** What this process says of itself. */
  async read(path: string): Promise<string | undefined> {
    return this.#find(path)?.read();
  }

  /** What this process says of itself on each path. */
  async readAll(): Promise<Readonly<Record<string, string>>> {
    const texts = this.list().map(async (endpoint) => [endpoint.path, await endpoint.read()] as const);
    return Object.fromEntries(await Promise.all(texts));
  }

  /** See `ManagementEndpoint.combine`. */
  async combine(
    path: string,
    living: readonly string[],
    ended: string | undefined,
  ): Promise<ManagementAnswer | undefined> {
    return this.#find(path)?.combine(living, ended);
  }

  /** See `ManagementEndpoint.keep`. */
  async keep(path: string, texts: readonly string[]): Promise<string | undefined> {
    return this.#find(path)?.keep?.(texts);
  }

  #find(path: string): ManagementEndpoint | undefined {
    return this.list().find((endpoint) => endpoint.path === path);
  }
}
