import type { App } from "@plinth/core";
import { type AuthMessage, channels, type UploadMessage } from "@plinth/core/telemetry";
import type { Listening } from "./listening.js";
import { Counter, type Reading } from "./series.js";

/** Counts of who signed in, and of the files that came in. */
export class CallerMetrics implements Listening {
  readonly #auth = new Counter({
    name: "plinth_auth_total",
    help: "Attempts to prove who the caller is, by how and with which result",
    labels: ["kind", "result"],
  });
  readonly #uploads = new Counter({ name: "plinth_uploads_total", help: "Files that came in", labels: ["result"] });
  readonly #bytes = new Counter({
    name: "plinth_upload_bytes_total",
    help: "Bytes of the files that came in",
    labels: ["result"],
  });

  constructor(private readonly app: App) {}

  start(): void {
    channels.auth.subscribe(this.#countAuth);
    channels.upload.subscribe(this.#countUpload);
  }

  stop(): void {
    channels.auth.unsubscribe(this.#countAuth);
    channels.upload.unsubscribe(this.#countUpload);
  }

  read(): readonly Reading[] {
    return [this.#auth.read(), this.#uploads.read(), this.#bytes.read()];
  }

  readonly #countAuth = ({ app, kind, result }: AuthMessage): void => {
    if (app === this.app) this.#auth.add(1, kind, result);
  };

  readonly #countUpload = ({ app, result, bytes }: UploadMessage): void => {
    if (app !== this.app) return;
    this.#uploads.add(1, result);
    this.#bytes.add(bytes, result);
  };
}
