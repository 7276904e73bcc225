import { join } from "node:path";
import { expect } from "chai";
import { loadForTest, startForTest } from "../projects.js";

const ACTIONS = ["find", "findOne", "create", "update", "delete"];

/** The content-types of plugins, and the actions whose rules their routes, GraphQL and populating keep. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  "plugin::api-tokens.admin": [],
  "plugin::api-tokens.token": [],
  "plugin::i18n.locale": [],
  "plugin::upload.file": ACTIONS,
  "plugin::upload.folder": ACTIONS,
  "plugin::users-permissions.permission": ["find"],
  "plugin::users-permissions.role": ["find", "findOne"],
  "plugin::users-permissions.session": [],
  "plugin::users-permissions.user": ACTIONS,
};

describe("Rules on content-types of plugins", () => {
  it("are taken where they are kept, and refused where nothing would keep them", async () => {
    const { plinth } = await startForTest(await loadForTest(join(import.meta.dirname, "..", "apps", "corpus")));
    const uids = [...plinth.app.model.contentTypes.keys()].filter((uid) => uid.startsWith("plugin::")).sort();
    const isTaken = (action: string) => plinth.app.permissions.problemsOf([{ action }], "x").length === 0;
    const taken = uids.map((uid) => [uid, ACTIONS.filter((action) => isTaken(`${uid}.${action}`))]);
    await plinth.stop();
    expect(Object.fromEntries(taken)).to.deep.equal(KEPT);
  });
});
