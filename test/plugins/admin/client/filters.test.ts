import { expect } from "chai";
import type { TypeView } from "#plugins/admin/src/wire/model.js";
import { type Group, readTree, writeTree } from "#plugins/admin/client/app/filter-tree.js";
import {
  askedTree,
  attributeOf,
  changedForm,
  documentsOf,
  fromCondition,
  toCondition,
} from "#plugins/admin/client/screens/list/filter-condition.js";
import { filterable, ownFields } from "#plugins/admin/client/screens/list/filter-fields.js";
import { comparisonsAt } from "#plugins/admin/client/screens/list/operators.js";

describe("the filters of a list", () => {
  it("stand in the address as the content API has them, groups within groups too", () => {
    const tree = {
      $and: [
        { title: { $containsi: "a" } },
        { $or: [{ author: { name: { $eq: "Ada" } } }, { author: { documentId: { $in: ["x", "y"] } } }] },
      ],
    };
    const group = readTree(tree);
    expect(group.parts[1]).to.deep.equal({
      join: "$or",
      parts: [
        { field: ["author", "name"], operator: "$eq", value: "Ada" },
        { field: ["author", "documentId"], operator: "$in", value: ["x", "y"] },
      ],
    });
    expect(writeTree(group)).to.deep.equal(tree);
  });

  it("leave out what is in another form, groups of one condition, and what is empty", () => {
    const rank = { field: ["rank"], operator: "$gte", value: "3" };
    expect(readTree({ rank: { $gte: "3", $lte: 9 }, $or: "x" }).parts).to.deep.equal([rank]);
    const nested: Group = { join: "$or", parts: [{ join: "$and", parts: [rank] }] };
    expect(writeTree(nested)).to.deep.equal({ $and: [{ rank: { $gte: "3" } }] });
    expect(writeTree({ join: "$and", parts: [{ join: "$or", parts: [] }] })).to.equal(undefined);
  });

  it("take moments in the zone of the reader, and read them back as they were typed", () => {
    const typed = { comparison: "lt", values: ["2026-03-01T10:00:00"] } as const;
    const condition = toCondition(["at"], "datetime", typed);
    expect(condition.value).to.equal(new Date("2026-03-01T10:00:00").toISOString());
    expect(fromCondition("datetime", condition)).to.deep.equal(typed);
    const day = { comparison: "on", values: ["2026-03-01"] } as const;
    const onDay = toCondition(["at"], "datetime", day);
    expect(onDay.operator).to.equal("$between");
    expect(onDay.value).to.deep.equal([
      new Date("2026-03-01T00:00:00").toISOString(),
      new Date("2026-03-01T23:59:59.999").toISOString(),
    ]);
    expect(fromCondition("datetime", onDay)).to.deep.equal(day);
    const two = { comparison: "between", values: ["2026-03-01", "2026-03-04"] } as const;
    expect(fromCondition("date", toCondition(["day"], "date", two))).to.deep.equal(two);
  });

  it("offer the status of types with drafts, and neither of those without nor that it is empty", () => {
    const type = { attributes: {}, hasDrafts: true } as unknown as TypeView;
    const [[name, status] = [], ...others] = filterable(ownFields(type));
    expect([name, status?.values]).to.deep.equal(["_state", ["draft", "modified", "published"]]);
    expect(status && comparisonsAt([status])).to.deep.equal(["in", "ne"]);
    expect(filterable(ownFields({ ...type, hasDrafts: false }))).to.have.length(others.length);
  });

  it("offer none of some documents for a list of links, and not inside of another list", () => {
    const view = { label: "", hint: null, placeholder: null, width: 6, isRequired: false, isEditable: true } as const;
    const shown = { ...view, isVisible: true, isLocalized: false, isUnique: false };
    const links = { ...shown, kind: "relation", target: "api::tag.tag", isMultiple: true } as const;
    const steps = { ...shown, kind: "component", component: "kitchen.step", isMultiple: true } as const;
    expect(comparisonsAt([links])).to.include("noneOf");
    expect(comparisonsAt([{ ...links, isMultiple: false }])).not.to.include("noneOf");
    expect(comparisonsAt([{ ...steps, isMultiple: false }, links])).to.include("noneOf");
    expect(comparisonsAt([steps, links])).to.deep.equal(["oneOf", "null", "notNull"]);
  });

  it("ask for documents of a relation by their ids, and for the last days by the day of today", () => {
    const chosen = { comparison: "oneOf", values: ["x"] } as const;
    const condition = toCondition(["author"], "relation", chosen);
    expect(condition.field).to.deep.equal(["author", "documentId"]);
    expect(attributeOf(condition)).to.deep.equal(["author"]);
    expect(fromCondition("relation", condition)).to.deep.equal(chosen);
    const without = { comparison: "noneOf", values: ["x", "y"] } as const;
    const none = toCondition(["tags"], "relation", without);
    expect(writeTree({ join: "$and", parts: [none] })).to.deep.equal({ $and: [{ tags: { $none: ["x", "y"] } }] });
    expect([documentsOf(condition), documentsOf(none)]).to.deep.equal([["x"], ["x", "y"]]);
    expect(attributeOf(none)).to.deep.equal(["tags"]);
    expect(fromCondition("relation", none)).to.deep.equal(without);
    expect(changedForm("noneOf", chosen)).to.deep.equal({ comparison: "noneOf", values: ["x"] });
    expect(changedForm("null", chosen)).to.deep.equal({ comparison: "null", values: [] });
    const last = writeTree({
      join: "$and",
      parts: [toCondition(["at"], "datetime", { comparison: "lastDays", values: ["7"] })],
    });
    const day = new Date();
    day.setHours(0, 0, 0, 0);
    day.setDate(day.getDate() - 7);
    expect(askedTree(last ?? {}, () => "datetime")).to.deep.equal({ $and: [{ at: { $gte: day.toISOString() } }] });
    const [asked] = askedTree(last ?? {}, () => "date")["$and"] as { at: { $gte: string } }[];
    expect(asked?.at.$gte).to.match(/^\d{4}-\d\d-\d\d$/);
  });
});
