import { expect } from "chai";
import { formatUid, isUid, namespaceOf, parseUid } from "#core/base/uid.js";

describe("uids", () => {
  const uids = {
    "api::article.article": "api::article",
    "plugin::users-permissions.rateLimit": "plugin::users-permissions",
    "global::is-owner": "global",
    "plinth::cors": "plinth",
  };

  for (const [uid, namespace] of Object.entries(uids)) {
    it(`such as ${uid} come apart and together again`, () => {
      expect(isUid(uid)).to.equal(true);
      expect(formatUid(parseUid(uid))).to.equal(uid);
      expect(namespaceOf(uid)).to.equal(namespace);
    });
  }

  it("say whose they are and what they name", () => {
    expect(parseUid("plugin::upload.file")).to.deep.equal({ namespace: "plugin", owner: "upload", name: "file" });
    expect(parseUid("global::is-owner")).to.deep.equal({ namespace: "global", name: "is-owner" });
  });

  for (const text of [
    "",
    "article",
    "api::article",
    "api::article.",
    "api::.a",
    "global::a.b",
    "other::a.b",
    "api::a.b c",
    "api::a.b\n",
  ]) {
    it(`are not ${JSON.stringify(text)} (PLINTH_UID_INVALID)`, () => {
      expect(isUid(text)).to.equal(false);
      expect(() => parseUid(text))
        .to.throw("is not a uid")
        .with.property("code", "PLINTH_UID_INVALID");
    });
  }
});
