import type { HttpServer } from "../http/server.js";
import type { App } from "../kernel/app.js";
import { hook } from "../kernel/hook.js";
import { readServerConfig } from "./server-config.js";

/** Why a process does work in the background: it takes requests as well, or does nothing else (`plinth work`). */
type Purpose = "serve" | "work";

/** A process is there to work. */
export interface StartEvent {
  readonly purpose: Purpose;
}

/** A process is about to stop. */
export interface StopEvent {
  /** Milliseconds that work which has begun still gets: `server.closeTimeout`. */
  readonly timeout: number;
}

/**
 * For what works in the background, such as jobs. An app that is started for a command, a drill or a look at it does not
 * call it: it may run on a copy of production, and must not send mails from there.
 */
export const onStart = hook.notify<StartEvent>(
  "app:onStart",
  "The process takes requests from now on, or was started by `plinth work`; not for commands.",
);

/** The counterpart of `onStart`, beside the requests that are being answered. Plugins are stopped after it. */
export const beforeStop = hook.series<StopEvent>(
  "app:beforeStop",
  "The process stops to work: nothing more is begun, and what has begun gets `timeout` milliseconds.",
);

/** Whether a process works in the background: while it listens, or works without. It may begin again after an end. */
export class Duty {
  #isOn = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(private readonly app: App) {}

  begin(purpose: Purpose): void {
    if (this.#isOn) return;
    this.#isOn = true;
    if (purpose === "work") this.app.health.begin();
    void this.app.hooks.notify(onStart, { purpose });
  }

  /** Resolves when nothing works any more, for every caller: a version that was replaced ends before it is stopped. */
  end(): Promise<void> {
    if (!this.#isOn) return this.#ended;
    this.#isOn = false;
    const { closeTimeout: timeout } = readServerConfig(this.app.config, this.app.environment);
    this.#ended = this.app.hooks.series(beforeStop, { timeout });
    return this.#ended;
  }

  /** A server while whose time the process works: a version of the app that is replaced ends both. */
  around(server: HttpServer): HttpServer {
    return {
      routes: server.routes,
      listen: async () => {
        const url = await server.listen();
        this.begin("serve");
        return url;
      },
      close: async (options) => {
        await Promise.all([server.close(options), this.end()]);
      },
    };
  }
}
