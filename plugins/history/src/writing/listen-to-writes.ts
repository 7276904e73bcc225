import { alongLoad, beforeStop, beforeSync, type RegisterContext, writeHooks } from "@plinth/core";
import type { HistoryConfig } from "../config.js";
import { type KeptTypes, readKeptTypes } from "../kept-types.js";
import { KnownDocuments } from "./known-documents.js";
import { VersionWriter } from "./version-writer.js";

/** Takes part in writes of the content-types that have a history, and in no others. */
export function listenToWrites({ app, config, on }: RegisterContext<HistoryConfig>, kept: () => KeptTypes): void {
  const begun = new KnownDocuments(app);
  const writer = new VersionWriter(app, kept, begun);
  // Which those are is known when the model is, before anything is written.
  const about: string[] = [];
  on(beforeSync, ({ model }) => void about.splice(0, about.length, ...readKeptTypes(model, config).keys()));
  const names = ["create", "update", "publish", "unpublish", "discardDraft", "delete"] as const;
  for (const name of names) on(writeHooks[name].along, (event) => [...writer.along(name, event)], { about });
  for (const name of ["create", "update", "publish", "unpublish", "discardDraft"] as const)
    on(writeHooks[name].ahead, (event) => [...writer.ahead(name, event)], { about });
  on(beforeStop, () => begun.close());
  on(alongLoad, (event) => [...writer.alongLoad(event)], { about });
}
