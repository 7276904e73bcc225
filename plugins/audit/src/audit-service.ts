import type { ServiceContext } from "@plinth/core";
import { Sealer } from "./chain/sealer.js";
import { Seals } from "./chain/seals.js";
import { verify, verifyLatest } from "./chain/verify.js";
import type { AuditConfig } from "./config.js";
import type { Audit, AuditFilter, AuditPage, KnownSeal, LatestVerification, Seal, Verification } from "./contract.js";
import { InvalidSelectionError } from "./errors.js";
import { exportEntries, exportSealed, listEntries } from "./reading/read-entries.js";
import { AuditWriter } from "./writing/writer.js";

/** The service behind `audit`. */
export class AuditService implements Audit {
  readonly #app: ServiceContext<AuditConfig>["app"];
  readonly #config: AuditConfig;
  readonly #seals: Seals;
  #latest: Promise<LatestVerification> | undefined;
  readonly writer: AuditWriter;
  readonly sealer: Sealer;

  constructor({ app, config }: ServiceContext<AuditConfig>) {
    this.#app = app;
    this.#config = config;
    this.#seals = new Seals(app);
    this.writer = new AuditWriter(app, config);
    this.sealer = new Sealer(app, config, this.#seals);
  }

  list(filter: AuditFilter = {}, page: Parameters<Audit["list"]>[1] = {}): Promise<AuditPage> {
    return listEntries(this.#app.db, filter, page);
  }

  export(filter: AuditFilter = {}, { seals = false }: { readonly seals?: boolean } = {}): AsyncIterable<string> {
    if (!seals) return exportEntries(this.#app.db, filter);
    if (Object.values(filter).some((value) => value !== undefined))
      throw new InvalidSelectionError({ reason: "seals are of all entries, and not of some that are selected" });
    return exportSealed(this.#app.db);
  }

  verify(known?: KnownSeal, days?: number): Promise<Verification> {
    return verify(this.#app, known, days);
  }

  verifyLatest(): Promise<LatestVerification> {
    this.#latest ??= verifyLatest(this.#app).finally(() => {
      this.#latest = undefined;
    });
    return this.#latest;
  }

  head(): Promise<Seal | null> {
    return this.#seals.head();
  }

  async seal(): Promise<number> {
    await this.writer.queue.flush();
    return await this.sealer.seal();
  }

  cut(): Promise<number> {
    return this.#seals.cut(this.#config.days);
  }

  /** Begins to seal, in a process that works. */
  start(): void {
    this.sealer.start();
  }

  /** Writes and seals what there is. */
  async stop(): Promise<void> {
    await this.writer.queue.flush();
    await this.sealer.stop();
  }
}
