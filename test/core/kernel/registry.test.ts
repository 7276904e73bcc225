import { expect } from "chai";
import { Registry } from "#core/kernel/registry.js";
import { thrownBy } from "./thrown-by.js";

describe("a registry", () => {
  it("gives back what was added, in the order in which it was added", () => {
    const policies = new Registry<number>("policy");
    policies.add("b", 2, "plugin");
    policies.add("a", 1, "plugin");
    policies.seal();
    expect(policies.get("a")).to.equal(1);
    expect(policies.keys()).to.deep.equal(["b", "a"]);
    expect(policies.entries()).to.deep.equal([
      ["b", 2],
      ["a", 1],
    ]);
    expect(policies.ownerOf("a")).to.equal("plugin");
    expect([policies.has("a"), policies.has("c")]).to.deep.equal([true, false]);
  });

  it("refuses a second thing of one name, naming both owners (PLINTH_REGISTRY_DUPLICATE)", async () => {
    const policies = new Registry<number>("policy");
    policies.add("a", 1, "first");
    const error = await thrownBy(() => policies.add("a", 1, "second"));
    expect(error.code).to.equal("PLINTH_REGISTRY_DUPLICATE");
    expect(error.message).to.contain('"second"').and.contain('"first"');
  });

  it("lists what is known and suggests the nearest for an unknown name (PLINTH_REGISTRY_UNKNOWN)", async () => {
    const policies = new Registry<number>("policy");
    policies.add("global::is-owner", 1, "app");
    policies.seal();
    for (const read of [() => policies.get("global::is-ower"), () => policies.ownerOf("global::is-ower")]) {
      const error = await thrownBy(read);
      expect(error.code).to.equal("PLINTH_REGISTRY_UNKNOWN");
      expect(error.message).to.contain('no policy "global::is-ower"').and.contain('mean "global::is-owner"');
      expect(error.details).to.deep.include({ known: ["global::is-owner"] });
    }
  });

  it("refuses every change after it was sealed (PLINTH_REGISTRY_SEALED)", async () => {
    const policies = new Registry<number>("policy");
    policies.add("a", 1, "plugin");
    policies.seal();
    const changes = [
      () => policies.add("b", 1, "late"),
      () => policies.extend("a", (n) => n, "late"),
      () => policies.wrap("a", (n) => n, "late"),
    ];
    for (const change of changes) {
      const error = await thrownBy(change);
      expect(error.code).to.equal("PLINTH_REGISTRY_SEALED");
      expect(error.message).to.contain('"late"');
    }
  });

  it("cannot be read while it fills (PLINTH_REGISTRY_OPEN)", async () => {
    const policies = new Registry<number>("policy");
    policies.add("a", 1, "plugin");
    expect((await thrownBy(() => policies.get("a"))).code).to.equal("PLINTH_REGISTRY_OPEN");
    expect((await thrownBy(() => policies.entries())).code).to.equal("PLINTH_REGISTRY_OPEN");
    expect(policies.has("a")).to.equal(true);
  });

  it("runs extends before wraps, each in order, even when they come before what they change", () => {
    const texts = new Registry<string>("text");
    texts.wrap("a", (inner) => `<${inner}>`, "one");
    texts.wrap("a", (inner) => `[${inner}]`, "two");
    texts.extend("a", (inner) => `${inner}1`, "one");
    texts.extend("a", (inner) => `${inner}2`, "two");
    texts.add("a", "text", "owner");
    texts.seal();
    expect(texts.get("a")).to.equal("[<text12>]");
  });

  it("does not change a thing before somebody asks for it, and then once", () => {
    const objects = new Registry<object>("object");
    let runs = 0;
    objects.add("a", {}, "owner");
    objects.extend("a", (inner) => ({ ...inner, run: ++runs }), "owner");
    objects.seal();
    expect(runs).to.equal(0);
    expect(objects.get("a")).to.equal(objects.get("a")).and.deep.equal({ run: 1 });
  });

  it("reports every change of something that nobody added, with who wanted it", () => {
    const policies = new Registry<number>("policy");
    policies.add("known", 1, "owner");
    policies.extend("x", (n) => n, "one");
    policies.wrap("y", (n) => n, "two");
    const problems = policies.seal();
    expect(problems.map(({ code, details }) => ({ code, ...details }))).to.deep.equal([
      { code: "PLINTH_REGISTRY_UNKNOWN", registry: "policy", uid: "x", known: ["known"], owner: "one" },
      { code: "PLINTH_REGISTRY_UNKNOWN", registry: "policy", uid: "y", known: ["known"], owner: "two" },
    ]);
  });

  it("names the plugin whose change fails or returns nothing (PLINTH_REGISTRY_CHANGE_FAILED)", async () => {
    const cause = new Error("no attributes");
    const changes: readonly [string, () => object][] = [
      [
        "no attributes",
        () => {
          throw cause;
        },
      ],
      ["returned nothing", () => undefined as unknown as object],
    ];
    for (const [reason, change] of changes) {
      const types = new Registry<object>("content-type");
      types.add("a", {}, "owner");
      types.extend("a", change, "clumsy");
      types.seal();
      const error = await thrownBy(() => types.get("a"));
      expect(error.code).to.equal("PLINTH_REGISTRY_CHANGE_FAILED");
      expect(error.message).to.contain('"clumsy"').and.contain(reason);
    }
  });
});
