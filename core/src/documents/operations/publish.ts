import type { Version } from "../../database/writes/version.js";
import { assertPublishable } from "../write/copy-version.js";
import { copyVersion } from "../write/copy-version.js";
import type { VersionOperation } from "./on-versions.js";

/**
 * Makes published rows equal to their drafts.
 *
 * @throws PLINTH_INPUT_INVALID, PLINTH_DOCUMENT_NOT_UNIQUE (400) with the problems of all locales
 */
export const publish: VersionOperation = {
  kind: "publish",
  chooses: ({ isDraft }) => isDraft,
  async run({ plan, reads }, { scope, params, chosen, versions, goAlong }) {
    const published: Version[] = [];
    assertPublishable(scope, plan, chosen);
    // All of them now: where a value is taken, the answer names the conflicts of every locale.
    scope.attempts.push(...chosen.map((draft) => ({ plan, ...draft, generated: scope.generated })));
    for (const draft of chosen) published.push(await copyVersion(scope, plan, draft, [...versions, ...published]));
    await goAlong();
    return { written: published, entries: await reads.entries(params, published) };
  },
};
