import { removeVersions } from "../write/remove-versions.js";
import type { VersionOperation } from "./on-versions.js";

/** Deletes draft and published row; what does not exist gives no entries. */
export const deleteVersions: VersionOperation = {
  kind: "delete",
  chooses: () => true,
  async run({ plan, reads }, { scope, params, chosen, versions, goAlong }) {
    const entries = await reads.entries(params, chosen);
    await goAlong();
    await removeVersions(scope, plan, chosen, versions);
    return { written: [], entries };
  },
};
