import { expect } from "chai";
import { implement } from "#core/kernel/implement.js";
import { definePlugin } from "#core/kernel/plugin.js";
import { serviceRef } from "#core/kernel/ref.js";
import { makeKernel } from "./make-kernel.js";
import { thrownBy } from "./thrown-by.js";

interface Names {
  of(id: number): string;
}
const names = serviceRef<Names>("plugin::shelf.names");
const titles = serviceRef<{ title(id: number): string }>("plugin::shelf.titles");
const namesImpl = implement(names, { create: () => ({ of: (id) => `book ${id}` }) });
const titlesImpl = implement(titles, {
  deps: { names },
  create: (deps) => ({ title: (id) => `"${deps.names.of(id)}"` }),
});
const shelf = definePlugin({ name: "shelf", services: [titlesImpl, namesImpl] });

describe("services", () => {
  it("are created when they are first needed, once, with their dependencies", async () => {
    let created = 0;
    const counted = serviceRef<{ run(): number }>("plugin::counter.counted");
    const impl = implement(counted, { create: () => ({ run: () => ++created }) });
    const counter = definePlugin({
      name: "counter",
      services: [
        {
          ...impl,
          create: (deps, context) => {
            created += 10;
            return impl.create(deps, context);
          },
        },
      ],
    });
    const { kernel } = makeKernel({ plugins: [shelf, counter] });
    await kernel.start();
    expect(created).to.equal(0);
    expect(kernel.app.service(counted)).to.equal(kernel.app.service(counted));
    expect(created).to.equal(10);
    expect(kernel.app.service(titles).title(1)).to.equal('"book 1"');
    await kernel.stop();
  });

  it("that are wrapped are what every dependant gets, the last wrapper outermost, whatever the order of plugins", async () => {
    const wrapping = (name: string, mark: string) =>
      definePlugin({
        name,
        register: ({ wrap }) => wrap(names, (inner) => ({ of: (id) => `${mark}${inner.of(id)}${mark}` })),
      });
    const { kernel } = makeKernel({
      plugins: [wrapping("early", "*"), shelf],
      app: wrapping("late", "_").definition,
    });
    await kernel.start();
    expect(kernel.app.service(titles).title(1)).to.equal('"_*book 1*_"');
    await kernel.stop();
  });

  it("that are wrapped but do not exist stop the start, naming who wrapped", async () => {
    const plugin = definePlugin({ name: "fan", register: ({ wrap }) => wrap(names, (inner) => inner) });
    const error = await thrownBy(() => makeKernel({ plugins: [plugin] }).kernel.start());
    expect(error.code).to.equal("PLINTH_REGISTRY_UNKNOWN");
    expect(error.details).to.deep.include({ registry: "service", uid: "plugin::shelf.names", owner: "fan" });
  });

  it("get the app and the validated configuration of their plugin", async () => {
    const sizes = serviceRef<{ size: number; app: unknown }>("plugin::sized.sizes");
    const sized = definePlugin<{ size: number }>({
      name: "sized",
      config: (raw) => ({ size: Number(raw) }),
      services: [
        implement(sizes, {
          create: (_, { app, config }: { app: unknown; config: { size: number } }) => ({ size: config.size, app }),
        }),
      ],
    });
    const { kernel } = makeKernel({ plugins: [sized], pluginConfig: { sized: "7" } });
    await kernel.start();
    expect(kernel.app.service(sizes)).to.deep.include({ size: 7 }).and.to.have.property("app", kernel.app);
    await kernel.stop();
  });

  it("whose dependencies have no implementation stop the start, all named at once (PLINTH_SERVICE_MISSING_DEPENDENCY)", async () => {
    const nams = serviceRef<Names>("plugin::shelf.nams");
    const one = implement(serviceRef<object>("plugin::x.one"), { deps: { nams }, create: () => ({}) });
    const two = implement(serviceRef<object>("plugin::x.two"), { deps: { nams }, create: () => ({}) });
    const { kernel } = makeKernel({ plugins: [shelf, definePlugin({ name: "x", services: [one, two] })] });
    const error = await thrownBy(() => kernel.start());
    expect(error.code).to.equal("PLINTH_SERVICE_MISSING_DEPENDENCY");
    expect(error.details).to.deep.include({
      missing: [
        { service: "plugin::x.one", dependency: "plugin::shelf.nams" },
        { service: "plugin::x.two", dependency: "plugin::shelf.nams" },
      ],
    });
    expect(error.message).to.contain('mean "plugin::shelf.names"');
  });

  it("that need each other are shown as a path, by their deps and by what create asks for (PLINTH_SERVICE_CYCLE)", async () => {
    const a = serviceRef<object>("plugin::x.a");
    const b = serviceRef<object>("plugin::x.b");
    const path = ["plugin::x.a", "plugin::x.b", "plugin::x.a"];
    const implA = implement(a, { deps: { b }, create: () => ({}) });
    const declared = definePlugin({ name: "x", services: [implA, implement(b, { deps: { a }, create: () => ({}) })] });
    const atStart = await thrownBy(() => makeKernel({ plugins: [declared] }).kernel.start());
    expect(atStart.code).to.equal("PLINTH_SERVICE_CYCLE");
    expect(atStart.details).to.deep.equal({ path });

    const asking = implement(b, { create: (_, { app }) => app.service(a) });
    const { kernel } = makeKernel({ plugins: [definePlugin({ name: "x", services: [implA, asking] })] });
    await kernel.start();
    const later = await thrownBy(() => kernel.app.service(a));
    expect(later.code).to.equal("PLINTH_SERVICE_CYCLE");
    expect(later.details).to.deep.equal({ path });
    await kernel.stop();
  });

  it("that fail to be made say which one, and keep the cause (PLINTH_SERVICE_CREATE_FAILED)", async () => {
    const cause = new Error("no key");
    const vault = serviceRef<object>("plugin::vault.vault");
    const impl = implement(vault, {
      create: () => {
        throw cause;
      },
    });
    const { kernel } = makeKernel({ plugins: [definePlugin({ name: "vault", services: [impl] })] });
    await kernel.start();
    const error = await thrownBy(() => kernel.app.service(vault));
    expect(error.code).to.equal("PLINTH_SERVICE_CREATE_FAILED");
    expect(error.message).to.equal('The service "plugin::vault.vault" could not be created: no key');
    expect(error.cause).to.equal(cause);
    await kernel.stop();
  });

  it("that are implemented twice stop the start", async () => {
    const { kernel } = makeKernel({ plugins: [shelf, definePlugin({ name: "copy", services: [namesImpl] })] });
    const error = await thrownBy(() => kernel.start());
    expect(error.details).to.deep.include({ plugin: "copy", phase: "declare" });
    expect(error.cause).to.include({ code: "PLINTH_REGISTRY_DUPLICATE" });
  });

  it("need a uid as their name", async () => {
    expect((await thrownBy(() => serviceRef("plugin::shelf" as "plugin::a.b"))).code).to.equal("PLINTH_UID_INVALID");
  });
});
