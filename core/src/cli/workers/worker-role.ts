import { databaseConfigOf } from "../../app/app-database.js";
import type { AppSetup } from "../../app/app-setup.js";
import { assertConfig } from "../../app/check-config.js";
import type { PlinthApp } from "../../app/create-app.js";
import { readServerConfig } from "../../app/server-config.js";
import { createConfigReader } from "../../kernel/config.js";
import { EmbeddedWorkersError } from "../errors.js";
import type { ServeRole } from "../serve.js";
import { Channel, type Peer } from "./channel.js";
import type { AskParent, AskWorker, ParentConfig } from "./worker-questions.js";

/** How often a worker says how it is, in milliseconds. */
const INTERVAL = 1_000;

/** Serves as one of several workers: on the socket of the parent, which gets its state. */
export class WorkerRole implements ServeRole {
  readonly #channel: Channel<AskParent>;
  #plinth: PlinthApp | undefined;

  /** @param number - of the worker, from 1 on; `parent` - of its process. */
  constructor(
    private readonly number: number,
    parent: Peer,
  ) {
    const answers: AskWorker = {
      together: (status) => {
        if (this.#plinth) this.#plinth.app.health.together = status;
      },
      read: async (path) => this.#plinth?.app.management.read(path),
      combine: async ({ path, living, ended }) => this.#plinth?.app.management.combine(path, living, ended),
      keep: async ({ path, texts }) => this.#plinth?.app.management.keep(path, texts),
    };
    this.#channel = new Channel(parent, answers);
  }

  /** @throws PLINTH_CLI_WORKERS_EMBEDDED, PLINTH_CONFIG_WRONG */
  async place(setup: AppSetup): Promise<Pick<AppSetup, "socket" | "worker">> {
    assertConfig(setup.config);
    if (databaseConfigOf(setup).client === "pglite") throw new EmbeddedWorkersError({});
    const socket = await this.#channel.call("open", parentConfigOf(setup));
    const askAll = (path: string) => this.#channel.call("askAll", path);
    return { socket, worker: { number: this.number, askAll, leave: () => this.#leave() } };
  }

  async #leave(): Promise<void> {
    const texts = await this.#plinth?.app.management.readAll();
    // Without a parent they are added up no more.
    if (texts) await this.#channel.call("leave", texts).catch(() => undefined);
  }

  progress<T>(_what: string, work: () => Promise<T>): Promise<T> {
    return work();
  }

  async started(plinth: PlinthApp, text: string): Promise<void> {
    this.#plinth = plinth;
    const tell = () => this.#channel.call("tell", plinth.app.health.report());
    await tell();
    await this.#channel.call("started", text);
    // Without a parent it is about to stop.
    setInterval(() => void tell().catch(() => undefined), INTERVAL).unref();
    process.once("disconnect", () => {
      plinth.app.health.together = undefined;
    });
  }

  onHangup(): void {
    // The parent decides what it means.
  }
}

function parentConfigOf({ config = {}, environment = "development" }: AppSetup): ParentConfig {
  const server = readServerConfig(createConfigReader(config), environment);
  const { host, port, drainDelay, closeTimeout, management } = server;
  const own = { host, port, drainDelay, closeTimeout, log: config["log"] };
  return management === undefined ? own : { ...own, management };
}
