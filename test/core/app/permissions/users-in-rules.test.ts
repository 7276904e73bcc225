import { expect } from "chai";
import type { Rule } from "#core/access/rule.js";
import { mistakenUsers } from "#core/app/permissions/users-in-rules.js";
import { component, modelOf, type } from "../../schema/raw-schemas.js";

const relation = (target: string) => ({ type: "relation", relation: "manyToOne", target }) as const;
const model = modelOf(
  [
    type("note", {
      title: { type: "string" },
      member: relation("api::member.member"),
      keeper: relation("api::editor.editor"),
      box: { type: "component", component: "shared.box" },
    }),
    type("member", { name: { type: "string" } }),
    type("editor", { name: { type: "string" } }, { authors: { fields: ["name"] } }),
  ],
  [component("shared.box", { member: relation("api::member.member"), label: { type: "string" } })],
);
const NOTE = "api::note.note";
const ID = "{{user.id}}";

describe("the caller in a rule", () => {
  const placesIn = (isAdmin: boolean, rule: Omit<Rule, "action">, uid = NOTE) => {
    const found = model.contentTypes.get(uid);
    if (!found) throw new TypeError(uid);
    return mistakenUsers({ model, isAdmin }, { action: `${uid}.update`, ...rule }, found, "x").map(({ path }) => path);
  };

  it("is an administrator in rules of administrators, and may stand for no other document", () => {
    const wrong = [
      { where: { id: ID } },
      { where: { member: ID } },
      { where: { $or: [{ title: "a" }, { member: { documentId: { $in: ["{{user.documentId}}"] } } }] } },
      { where: { box: { member: { id: { $eq: ID } } } } },
      { where: { keeper: { id: ID }, member: { id: ID } } },
      { set: { member: ID } },
      { set: { member: { connect: [{ documentId: "{{ user.documentId }}" }] } } },
    ];
    expect(wrong.map((rule) => placesIn(true, rule))).to.deep.equal([
      ["x.where.id"],
      ["x.where.member"],
      ["x.where.$or.1.member.documentId.$in.0"],
      ["x.where.box.member.id.$eq"],
      ["x.where.member.id"],
      ["x.set.member"],
      ["x.set.member.connect.0.documentId"],
    ]);
  });

  it("is none in all other rules, and may stand for no administrator", () => {
    expect(placesIn(false, { where: { keeper: { id: ID } } })).to.deep.equal(["x.where.keeper.id"]);
    expect(placesIn(false, { where: { id: ID } }, "api::editor.editor")).to.deep.equal(["x.where.id"]);
  });

  it("may stand where it is meant, and for a text", () => {
    for (const rule of [
      { where: { createdBy: { id: ID } } },
      { where: { keeper: { id: ID } }, set: { keeper: ID } },
      { where: { title: ID, box: { label: "{{user.documentId}}" } }, set: { title: "{{user.documentId}}" } },
    ])
      expect(placesIn(true, rule)).to.deep.equal([]);
    for (const rule of [{ where: { member: { id: ID } } }, { set: { member: ID, title: ID } }])
      expect(placesIn(false, rule)).to.deep.equal([]);
    expect(placesIn(true, { where: { id: ID } }, "api::editor.editor")).to.deep.equal([]);
  });

  it("is said in words that name the place", () => {
    const found = model.contentTypes.get(NOTE);
    if (!found) throw new TypeError(NOTE);
    const rule = { action: `${NOTE}.find`, where: { member: { id: ID } } };
    expect(mistakenUsers({ model, isAdmin: true }, rule, found, "admin.roles.odd[0]")).to.deep.equal([
      {
        path: "admin.roles.odd[0].where.member.id",
        message:
          "{{user.id}} is the id of an administrator, and this is an id of api::member.member: another account may have the same",
      },
    ]);
  });
});
