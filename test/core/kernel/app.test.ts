import { expect } from "chai";
import { implement } from "#core/kernel/implement.js";
import { defineApp, definePlugin } from "#core/kernel/plugin.js";
import { extensionRef, serviceRef } from "#core/kernel/ref.js";
import { makeKernel } from "./make-kernel.js";
import { thrownBy } from "./thrown-by.js";

interface Menu {
  readonly items: string[];
}

declare module "#core/kernel/app.js" {
  interface App {
    /** There in these tests only. */
    readonly testClock: { now(): number };
  }
}
declare module "@plinth/core" {
  interface Services {
    "plugin::test-menu.extension": Menu;
    "plugin::test-menu.printer": { print(): string };
  }
}
declare module "#core/kernel/registries.js" {
  interface Registries {
    "test-dish": { readonly price: number };
  }
}

const menu = extensionRef<Menu>("plugin::test-menu.extension");
const printer = serviceRef<{ print(): string }>("plugin::test-menu.printer");
const menuPlugin = definePlugin({
  name: "test-menu",
  extensions: [implement(menu, { create: () => ({ items: [] }) })],
  services: [implement(printer, { create: (_, { app }) => ({ print: () => app.extension(menu).items.join(", ") }) })],
});

describe("the app by strings and by refs", () => {
  it("reaches an extension in register, and a service from bootstrap on, both ways", async () => {
    const seen: unknown[] = [];
    const app = defineApp({
      register({ app, extension }) {
        extension(menu).items.push("tea");
        app.plugin("test-menu").service("extension").items.push("cake");
        seen.push(app.service("plugin::test-menu.extension") === extension(menu));
      },
      bootstrap({ app, service }) {
        seen.push(app.plugin("test-menu").service("printer").print(), app.service("plugin::test-menu.printer").print());
        seen.push(service(printer) === service("plugin::test-menu.printer"));
      },
    });
    const { kernel } = makeKernel({ plugins: [menuPlugin], app });
    await (await kernel.start()).stop();
    expect(seen).to.deep.equal([true, "tea, cake", "tea, cake", true]);
  });

  it("says when a service will exist when register asks for it (PLINTH_APP_TOO_EARLY)", async () => {
    const asks = [
      (app: Kernel["app"]) => app.service(printer),
      (app: Kernel["app"]) => app.service("plugin::test-menu.printer"),
      (app: Kernel["app"]) => app.plugin("test-menu").service("printer"),
    ];
    type Kernel = ReturnType<typeof makeKernel>["kernel"];
    for (const ask of asks) {
      const { kernel } = makeKernel({ plugins: [menuPlugin], app: { register: ({ app }) => void ask(app) } });
      const { cause } = await thrownBy(() => kernel.start());
      expect(cause).to.include({ code: "PLINTH_APP_TOO_EARLY" });
      expect((cause as Error).message).to.equal(
        'The service "plugin::test-menu.printer" does not exist yet in register; use it from bootstrap on.',
      );
    }
  });

  it("suggests the nearest plugin, service and extension", async () => {
    const { kernel } = makeKernel({ plugins: [menuPlugin] });
    await kernel.start();
    expect((await thrownBy(() => kernel.app.plugin("test-menue"))).message).to.contain('mean "test-menu"');
    expect((await thrownBy(() => kernel.app.plugin("test-menu").service("printr" as "printer"))).message).to.contain(
      'mean "plugin::test-menu.printer"',
    );
    const unknown = extensionRef<Menu>("plugin::test-menu.extensions");
    expect((await thrownBy(() => kernel.app.extension(unknown))).code).to.equal("PLINTH_REGISTRY_UNKNOWN");
    expect([kernel.app.has("test-menu"), kernel.app.has("other")]).to.deep.equal([true, false]);
    await kernel.stop();
  });

  it("holds what higher floors provide, made once, and not before its time", async () => {
    let made = 0;
    const early: Promise<Error>[] = [];
    const asking = definePlugin({
      name: "a",
      register({ app }) {
        early.push(thrownBy(() => app.testClock));
      },
    });
    const { kernel } = makeKernel({ plugins: [asking] });
    kernel.provide("testClock", () => ({ now: () => ++made }), "sync");
    await kernel.start();
    expect(await early[0]).to.include({ code: "PLINTH_APP_TOO_EARLY" });
    expect((await early[0])?.message).to.equal("app.testClock does not exist yet in register; use it from sync on.");
    expect(kernel.app.testClock).to.equal(kernel.app.testClock);
    expect(kernel.app.testClock.now()).to.equal(1);
    await kernel.stop();
  });

  it("is provided with each member once, before the start", async () => {
    const { kernel } = makeKernel({ plugins: [] });
    const provide = () => kernel.provide("testClock", () => ({ now: () => 0 }));
    provide();
    expect((await thrownBy(provide)).code).to.equal("PLINTH_REGISTRY_DUPLICATE");
    await kernel.start();
    expect((await thrownBy(provide)).code).to.equal("PLINTH_KERNEL_STATE");
    await kernel.stop();
  });
});

describe("the things of plugins and of the app", () => {
  it("come through one registry under the uid of their owner, from definitions and from register alike", async () => {
    const kitchen = definePlugin({
      name: "kitchen",
      contentTypes: { dish: {} as never },
      components: { "shared.price": {} as never },
      routes: [{} as never, {} as never],
      policies: { "is-cook": () => true },
      register: ({ policy, registry }) => {
        policy("is-guest", () => true);
        registry("test-dish").add("soup", { price: 3 });
      },
    });
    const app = defineApp({ policies: { "is-owner": () => true, "api::article.is-author": () => true } });
    const { kernel } = makeKernel({ plugins: [kitchen], app });
    await kernel.start();
    expect(kernel.app.registry("policy").keys()).to.deep.equal([
      "plugin::kitchen.is-cook",
      "global::is-owner",
      "api::article.is-author",
      "plugin::kitchen.is-guest",
    ]);
    const keysOf = (kind: string) => kernel.app.registry(kind as "policy").keys();
    expect(keysOf("content-type")).to.deep.equal(["plugin::kitchen.dish"]);
    expect(keysOf("component")).to.deep.equal(["shared.price"]);
    expect(keysOf("route")).to.deep.equal(["plugin::kitchen.0", "plugin::kitchen.1"]);
    expect(kernel.app.registry("policy").ownerOf("api::article.is-author")).to.equal("app");
    expect(kernel.app.plugin("kitchen").get("test-dish", "soup")).to.deep.equal({ price: 3 });
    expect(kernel.app.registry("strategy").keys()).to.deep.equal([]);
    await kernel.stop();
  });

  it("can be changed by other plugins, which may come first", async () => {
    const discount = definePlugin({
      name: "discount",
      register: ({ registry }) => {
        registry("test-dish").wrap("plugin::kitchen.soup", (dish) => ({ price: dish.price / 2 }));
        registry("test-dish").extend("plugin::kitchen.soup", (dish) => ({ price: dish.price + 5 }));
      },
    });
    const kitchen = definePlugin({
      name: "kitchen",
      register({ registry }) {
        registry("test-dish").add("soup", { price: 3 });
        expect(registry("test-dish").has("soup")).to.equal(true);
      },
    });
    const { kernel } = makeKernel({ plugins: [discount, kitchen] });
    await kernel.start();
    expect(kernel.app.registry("test-dish").get("plugin::kitchen.soup")).to.deep.equal({ price: 4 });
    await kernel.stop();
  });

  it("cannot be added once everything has registered, not even to a registry that nobody used", async () => {
    let late: (() => void) | undefined;
    const { kernel } = makeKernel({
      plugins: [
        definePlugin({
          name: "a",
          register: (context) => {
            late = () => context.strategy("x", {} as never);
          },
        }),
      ],
    });
    await kernel.start();
    expect((await thrownBy(() => late?.())).code).to.equal("PLINTH_REGISTRY_SEALED");
    const unused = kernel.app.registry("never-used" as "policy") as unknown as { add(...args: unknown[]): void };
    expect((await thrownBy(() => unused.add("x", 1, "late"))).code).to.equal("PLINTH_REGISTRY_SEALED");
    await kernel.stop();
  });
});
