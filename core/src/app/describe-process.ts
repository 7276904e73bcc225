import { hashOfModel } from "../database/sync/model-history.js";
import type { App } from "../kernel/app.js";
import { appVersion } from "./app-version.js";

/** What runs in a process. */
export interface ProcessDescription {
  /** Of the app: that in its package.json; `""` without one. */
  readonly version: string;
  /** Hash of its content model, as `plinth processes` lists it. */
  readonly model: string;
  readonly engine: "postgres" | "citus" | "pglite";
}

/** Says what runs in the process of an app; from bootstrap on. */
export function describeProcess({ root, model, db }: App): ProcessDescription {
  return { version: appVersion(root), model: hashOfModel(model), engine: db.kind === "pglite" ? db.kind : db.engine };
}
