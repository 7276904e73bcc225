import type { App, ServiceContext } from "@plinth/core";
import type { HistoryConfig } from "./config.js";
import type {
  DeletedDocument,
  DeletedQuery,
  Difference,
  History,
  Restored,
  Restorer,
  Version,
  VersionedDocument,
  VersionInfo,
  Viewer,
} from "./contract.js";
import { deletedDocuments } from "./deleted-documents.js";
import { type KeptTypes, keptTypeOf, readKeptTypes } from "./kept-types.js";
import { OpenHistory } from "./reading/open-history.js";
import { restore, type Wanted } from "./restore.js";
import { forget, prune } from "./retention.js";

/** The service behind `history`. */
export class HistoryService implements History {
  readonly #app: App;
  readonly #config: HistoryConfig;
  #kept: KeptTypes | undefined;

  constructor({ app, config }: ServiceContext<HistoryConfig>) {
    this.#app = app;
    this.#config = config;
  }

  /** The content-types of which versions are kept; once there is a model. */
  get kept(): KeptTypes {
    this.#kept ??= readKeptTypes(this.#app.model, this.#config);
    return this.#kept;
  }

  async list(uid: string, document: VersionedDocument, viewer: Viewer = {}): Promise<readonly VersionInfo[]> {
    return (await this.#open(uid, document, viewer)).list();
  }

  async findOne(
    uid: string,
    version: VersionedDocument & { readonly id: string },
    viewer: Viewer = {},
  ): Promise<Version> {
    return (await this.#open(uid, version, viewer)).version(version.id);
  }

  async compare(
    uid: string,
    pair: VersionedDocument & { readonly from: string; readonly to: string },
    viewer: Viewer = {},
  ): Promise<readonly Difference[]> {
    return (await this.#open(uid, pair, viewer)).compare(pair.from, pair.to);
  }

  async restore(uid: string, version: Wanted, restorer: Restorer = {}): Promise<Restored> {
    return restore(this.#app, keptTypeOf(this.kept, uid), version, restorer);
  }

  async deleted(uid: string, query: DeletedQuery, viewer: Viewer = {}): Promise<readonly DeletedDocument[]> {
    return deletedDocuments(this.#app, keptTypeOf(this.kept, uid), query, viewer);
  }

  /** @param since - see `prune` of retention.ts; default: everything. */
  prune(since?: Date): Promise<number> {
    return prune(this.#app, this.kept, this.#config, since);
  }

  forget(uid: string, documentId: string): Promise<number> {
    return forget(this.#app, uid, documentId);
  }

  #open(uid: string, document: VersionedDocument, viewer: Viewer): Promise<OpenHistory> {
    return OpenHistory.read(this.#app, keptTypeOf(this.kept, uid), document, viewer);
  }
}
