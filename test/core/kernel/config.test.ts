import { expect } from "chai";
import * as v from "@plinth/core/valibot";
import { options, whole } from "#core/base/options/values.js";
import { createConfigReader } from "#core/kernel/config.js";
import { definePlugin } from "#core/kernel/plugin.js";
import { makeKernel } from "./make-kernel.js";
import { thrownBy } from "./thrown-by.js";

describe("the configuration of the app", () => {
  const tree = { server: { port: 1337, host: null, list: ["a"] } };
  const config = createConfigReader(tree);

  it("is read by dotted paths, with a default where there is nothing", () => {
    expect(config.get("server.port")).to.equal(1337);
    expect(config.get("server.port", 80)).to.equal(1337);
    expect(config.get("server.name", "plinth")).to.equal("plinth");
    expect(config.get("server.port.deeper", 1)).to.equal(1);
    expect(config.get("server.list.0")).to.equal("a");
    expect(config.get("nothing")).to.equal(undefined);
    expect([config.has("server.port"), config.has("server.name")]).to.deep.equal([true, false]);
  });

  it("keeps null as a value", () => {
    expect(config.get("server.host", "localhost")).to.equal(null);
  });

  it("cannot be changed, neither by who reads it nor by who wrote it", () => {
    const server = config.get<{ port: number }>("server");
    expect(server).to.be.frozen;
    tree.server.port = 1;
    expect(config.get("server.port")).to.equal(1337);
  });

  it("does not reach into prototypes", () => {
    expect(config.get("constructor")).to.equal(undefined);
    expect(config.get("server.__proto__")).to.equal(undefined);
    expect(config.get("server.list.length", 0)).to.equal(1);
  });
});

describe("the configuration of plugins", () => {
  const sized = definePlugin({
    name: "sized",
    config: (raw) => {
      const { size = 10 } = (raw ?? {}) as { size?: number };
      if (typeof size !== "number") throw new TypeError("size must be a number.");
      return { size };
    },
  });

  it("is validated by its plugin, and frozen, and the same in every phase", async () => {
    const seen: unknown[] = [];
    const plugin = definePlugin({
      name: "seen",
      config: (raw) => ({ value: raw }),
      register: ({ config }) => void seen.push(config),
      bootstrap: ({ config }) => void seen.push(config),
      destroy: ({ config }) => void seen.push(config),
    });
    const { kernel } = makeKernel({ plugins: [plugin, sized], pluginConfig: { seen: "x" } });
    await (await kernel.start()).stop();
    expect(seen).to.deep.equal([{ value: "x" }, { value: "x" }, { value: "x" }]);
    expect(seen[0]).to.be.frozen;
    expect(kernel.app.plugin("sized").config).to.deep.equal({ size: 10 });
  });

  it("may be checked by a schema, which fills in what is left out", async () => {
    const shop = definePlugin({
      name: "shop",
      config: options({
        currency: v.optional(v.picklist(["EUR", "USD"]), "EUR"),
        sizes: v.optional(v.array(whole(1)), [1]),
      }),
      // What the schema makes is what the compiler knows.
      bootstrap: ({ config }) => void (config.currency satisfies "EUR" | "USD"),
    });
    const { kernel } = makeKernel({ plugins: [shop], pluginConfig: { shop: { sizes: [3] } } });
    await (await kernel.start()).stop();
    expect(kernel.app.plugin("shop").config).to.deep.equal({ currency: "EUR", sizes: [3] });
    const wrong = makeKernel({ plugins: [shop], pluginConfig: { shop: { sizes: [0], curency: "EUR" } } });
    const error = await thrownBy(() => wrong.kernel.start());
    expect(error.details).to.deep.equal({
      problems: [
        { plugin: "shop", message: 'curency is not known. Did you mean "currency"? Known: currency, sizes.' },
        { plugin: "shop", message: "sizes[0] must be a whole number from 1, and is 0" },
      ],
    });
  });

  it("is refused with every problem of every plugin at once (PLINTH_CONFIG_INVALID)", async () => {
    const { kernel } = makeKernel({
      plugins: [sized, definePlugin({ name: "plain" }), definePlugin({ name: "absent", config: () => ({}) })],
      pluginConfig: { sized: { size: "big" }, plain: { a: 1 }, sizd: {}, absent: undefined },
    });
    const error = await thrownBy(() => kernel.start());
    expect(error.code).to.equal("PLINTH_CONFIG_INVALID");
    expect(error.details).to.deep.equal({
      problems: [
        { plugin: "plain", message: "this plugin takes no configuration; remove it." },
        { plugin: "sizd", message: 'no such plugin is enabled. Did you mean "sized"? Known: sized, plain, absent.' },
        { plugin: "sized", message: "size must be a number." },
      ],
    });
    expect(error.message).to.contain("sized: size must be a number.");
    expect((error.cause as AggregateError).errors[0]).to.be.instanceOf(TypeError);
  });
});
