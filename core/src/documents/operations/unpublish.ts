import type { Version } from "../../database/writes/version.js";
import { copyVersion } from "../write/copy-version.js";
import { removeVersions } from "../write/remove-versions.js";
import type { VersionOperation } from "./on-versions.js";

/** Deletes published rows and returns the drafts; a draft that is missing is made first. */
export const unpublish: VersionOperation = {
  kind: "unpublish",
  chooses: ({ isDraft }) => !isDraft,
  async run({ plan, reads }, { scope, params, chosen, versions, goAlong }) {
    const drafts: Version[] = [];
    for (const row of chosen) {
      const draft = versions.find(({ isDraft, locale }) => isDraft && locale === row.locale);
      drafts.push(draft ?? (await copyVersion(scope, plan, row, versions)));
    }
    await removeVersions(scope, plan, chosen, [...versions, ...drafts]);
    await goAlong();
    return { written: drafts, entries: await reads.entries(params, drafts) };
  },
};
