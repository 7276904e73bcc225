import { expect } from "chai";
import { classOfNetwork, deviceName } from "#plugins/admin/client/screens/account/device-name.js";
import {
  allows,
  cellOf,
  columnsOf,
  isSameGrant,
  otherItems,
  withAction,
} from "#plugins/admin/client/screens/roles/grant-model.js";
import { readRows, writeRows } from "#plugins/admin/client/screens/roles/rule-rows.js";
import { strengthOf } from "#plugins/admin/client/screens/sign-in/strength.js";
import type { RoleType } from "#plugins/admin/src/wire/roles.js";

const FIND = "api::article.article.find";
const UPDATE = "api::article.article.update";
const type: RoleType = {
  ...{ uid: "api::article.article", label: "Article", isLocalized: true },
  ...{ actions: ["find", "update"], limitable: ["find", "update"], withFields: ["find", "update"], fields: [] },
};

describe("the strength of a password", () => {
  it("grows with what a guesser does not know, and not with what repeats, follows, or is the account's own", () => {
    expect(strengthOf("elevenchars", 12)).to.equal("short");
    expect(strengthOf("aaaaaaaaaaaaaaaaaaaa", 12)).to.equal("weak");
    expect(strengthOf("abcdefghijklmnop", 12)).to.equal("weak");
    expect(strengthOf("ada lovelace ada lovelace", 12, ["Ada Lovelace", "lovelace@example.com"])).to.equal("weak");
    expect(strengthOf("correct horse", 12)).to.equal("fair");
    expect(strengthOf("correct horse battery staple", 12)).to.equal("strong");
    expect(strengthOf("пароль из нескольких слов", 12)).to.equal("strong");
  });
});

describe("the device of a session", () => {
  it("is what its browser says, where that is known", () => {
    const chrome =
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
    expect(deviceName(chrome)).to.equal("Chrome, Windows");
    expect(deviceName(`${chrome} Edg/140.0`)).to.equal("Edge, Windows");
    expect(
      deviceName("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1"),
    ).to.equal("Safari, iPhone");
    expect(deviceName("curl/8.1")).to.equal(undefined);
  });

  it("is here, in a private network, or anywhere", () => {
    const classes = [
      "127.0.0.0/24",
      "0:0:0:0::/64",
      "192.168.1.0/24",
      "172.20.3.0/24",
      "fd00:1:2:3::/64",
      "203.0.113.0/24",
      "2001:db8:7:0::/64",
      "172.32.0.0/24",
    ];
    expect(classes.map(classOfNetwork)).to.deep.equal([
      "here",
      "here",
      "private",
      "private",
      "private",
      "public",
      "public",
      "public",
    ]);
  });
});

describe("a cell of the matrix of roles", () => {
  const rule = { action: UPDATE, fields: ["title"] };

  it("is what code says, then what the database says, with the reason", () => {
    expect(cellOf({ byCode: [], grant: [] }, FIND)).to.deep.equal({ state: "no" });
    expect(cellOf({ byCode: ["api::*.find"], grant: [] }, FIND)).to.deep.equal({ state: "yes", byCode: "api::*.find" });
    expect(cellOf({ byCode: ["api::*", rule], grant: [UPDATE] }, UPDATE)).to.deep.equal({
      state: "part",
      byCode: UPDATE,
      rule,
    });
    expect(cellOf({ byCode: [], grant: [FIND] }, FIND)).to.deep.equal({ state: "yes" });
    expect(cellOf({ byCode: [], grant: ["api::*.update", rule] }, UPDATE)).to.deep.equal({ state: "part", rule });
    expect(cellOf({ byCode: [], grant: ["api::*.update"] }, UPDATE)).to.deep.equal({
      state: "yes",
      byPattern: "api::*.update",
    });
    expect(cellOf({ byCode: ["*"], grant: [] }, "plugin::admin.roles")).to.deep.equal({ state: "yes", byCode: "*" });
  });

  it("is found by patterns as the server does", () => {
    expect(allows("api::*.find", FIND)).to.equal(true);
    expect(allows("api::*.find", "api::article.article.findOne")).to.equal(false);
    expect(allows("api::article.*", FIND)).to.equal(true);
    expect(allows("api::article?article.find", FIND)).to.equal(false);
    expect(allows("api::articlexarticle.find", FIND)).to.equal(false);
  });

  it("changes itself alone; what no cell shows is listed and stays", () => {
    const grant = ["api::tag.*", FIND, rule, "plugin::admin.gone", "api::*.find"];
    expect(withAction(grant, FIND, "no")).to.deep.equal(grant.filter((item) => item !== FIND));
    expect(withAction(grant, UPDATE, "yes")).to.deep.equal([
      "api::tag.*",
      FIND,
      "plugin::admin.gone",
      "api::*.find",
      UPDATE,
    ]);
    expect(otherItems(grant, [type], [])).to.deep.equal(["api::tag.*", "plugin::admin.gone"]);
    expect(columnsOf([type])).to.deep.equal(["find", "update"]);
    expect(isSameGrant([FIND, rule], [rule, FIND])).to.equal(true);
    expect(isSameGrant([FIND], [UPDATE])).to.equal(false);
  });
});

describe("the rows of a rule", () => {
  const own = { createdBy: { id: "{{user.id}}" } };

  it("are taken apart into own documents, locales and filters, and put together as they were", () => {
    const where = { $and: [own, { locale: { $in: ["fr", "de"] } }, { rank: { $gte: "2" } }] };
    const rows = readRows(where);
    expect(rows).to.deep.equal({ isOwn: true, locales: ["fr", "de"], tree: { rank: { $gte: "2" } }, kept: [] });
    expect(writeRows(rows)).to.deep.equal(where);
    expect(readRows({ ...own, locale: "fr" })).to.deep.include({ isOwn: true, locales: ["fr"], tree: undefined });
    expect(readRows({ title: "x", rank: { $lt: 3 } }).tree).to.deep.equal({
      $and: [{ title: { $eq: "x" } }, { rank: { $lt: "3" } }],
    });
    const none = { tags: { $none: ["x", "y"] } };
    expect(readRows(none)).to.deep.include({ tree: none, kept: [] });
    expect(writeRows(readRows(none))).to.deep.equal(none);
    expect(readRows({ tags: { $none: { name: "x" } } })).to.deep.include({ tree: undefined });
    expect(readRows(undefined)).to.deep.equal({ isOwn: false, locales: undefined, tree: undefined, kept: [] });
    expect(writeRows(readRows(undefined))).to.equal(undefined);
  });

  it("keep conditions that no form shows, word for word", () => {
    const strange = [
      { author: { name: { $eqi: "Ada" } } },
      { rank: { $not: { $gt: 3 } } },
      { owner: { documentId: "{{user.documentId}}" } },
      { publishedAt: { $lt: "{{now}}" } },
    ];
    const rows = readRows({ $and: [...strange, own] });
    expect(rows.kept).to.deep.equal(strange);
    expect(writeRows({ ...rows, locales: ["fr"] })).to.deep.equal({
      $and: [own, { locale: { $in: ["fr"] } }, ...strange],
    });
    expect(readRows({ locale: { $ne: "fr" } }).locales).to.equal(undefined);
    expect(writeRows(readRows({ locale: { $in: [] } }))).to.deep.equal({ locale: { $in: [] } });
  });
});
