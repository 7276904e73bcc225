import type { Version } from "../../database/writes/version.js";
import { copyVersion } from "../write/copy-version.js";
import type { VersionOperation } from "./on-versions.js";

/** Makes drafts equal to their published rows; a document without published row keeps its draft. */
export const discardDraft: VersionOperation = {
  kind: "discardDraft",
  chooses: ({ isDraft }) => !isDraft,
  async run({ plan, reads }, { scope, params, chosen, versions, goAlong }) {
    const drafts: Version[] = [];
    for (const row of chosen) drafts.push(await copyVersion(scope, plan, row, versions));
    await goAlong();
    return { written: drafts, entries: await reads.entries(params, drafts) };
  },
};
