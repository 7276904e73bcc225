import { expect } from "chai";
import type { PlinthError } from "#core/base/error.js";
import { hook } from "#core/kernel/hook.js";
import { definePlugin, type Plugin } from "#core/kernel/plugin.js";
import { makeKernel } from "./make-kernel.js";
import { thrownBy } from "./thrown-by.js";

/** A plugin that writes down when its phases run. */
function tracer(name: string, log: string[], more: Partial<Parameters<typeof definePlugin>[0]> = {}): Plugin {
  return definePlugin({
    name,
    register: () => void log.push(`register ${name}`),
    bootstrap: async () => {
      await new Promise(setImmediate);
      log.push(`bootstrap ${name}`);
    },
    destroy: async () => {
      await new Promise(setImmediate);
      log.push(`destroy ${name}`);
    },
    ...more,
  });
}

function step(name: string, log: string[]) {
  return { run: () => void log.push(name), stop: async () => void log.push(`undo ${name}`) };
}

describe("the life of a kernel", () => {
  it("goes through all phases in order, and stop undoes them in reverse", async () => {
    const log: string[] = [];
    const { kernel } = makeKernel({
      plugins: [tracer("b", log, { after: ["a"] }), tracer("a", log)],
      app: tracer("last", log).definition,
      sync: step("sync", log),
      listen: step("listen", log),
    });
    await kernel.start();
    expect(kernel.report().phase).to.equal("running");
    await kernel.stop();
    expect(log).to.deep.equal([
      ...[
        "register a",
        "register b",
        "register last",
        "sync",
        "bootstrap a",
        "bootstrap b",
        "bootstrap last",
        "listen",
      ],
      ...["undo listen", "destroy last", "destroy b", "destroy a", "undo sync"],
    ]);
    expect(kernel.report().phase).to.equal("stopped");
  });

  it("refuses a definition with a misspelt key, which would never do anything", async () => {
    const misspelt = { name: "late", bootstap: () => undefined } as unknown as Parameters<typeof definePlugin>[0];
    const { kernel } = makeKernel({ plugins: [definePlugin(misspelt)] });
    const { cause } = await thrownBy(() => kernel.start());
    expect((cause as PlinthError).code).to.equal("PLINTH_PLUGIN_UNKNOWN_KEY");
    expect((cause as PlinthError).message).to.contain(
      '"bootstap" is not a key of the definition of "late". Did you mean "bootstrap"?',
    );
  });

  it("stops what had started when a bootstrap fails half-way, and says why it failed (PLINTH_PLUGIN_PHASE)", async () => {
    const log: string[] = [];
    const cause = new Error("no disk");
    const failing = tracer("b", log, { bootstrap: () => Promise.reject(cause) });
    const { kernel } = makeKernel({
      plugins: [tracer("a", log), failing, tracer("c", log)],
      sync: step("sync", log),
      listen: step("listen", log),
    });
    const error = await thrownBy(() => kernel.start());
    expect(error.code).to.equal("PLINTH_PLUGIN_PHASE");
    expect(error.message).to.equal('Plugin "b" failed in bootstrap: no disk');
    expect(error.cause).to.equal(cause);
    expect(log.slice(3)).to.deep.equal(["sync", "bootstrap a", "destroy b", "destroy a", "undo sync"]);
    await kernel.stop();
    expect(log.at(-1)).to.equal("undo sync");
  });

  it("stops what had started when a step fails, and hands on the step's own error", async () => {
    const log: string[] = [];
    const failure = new Error("port taken");
    const listen = { run: () => Promise.reject(failure), stop: () => void log.push("undo listen") };
    const { kernel } = makeKernel({ plugins: [tracer("a", log)], listen });
    expect(await kernel.start().catch((error: unknown) => error)).to.equal(failure);
    expect(log.slice(-2)).to.deep.equal(["undo listen", "destroy a"]);
  });

  it("logs why stopping failed too when a start fails", async () => {
    const destroy = () => {
      throw new Error("stuck");
    };
    const bootstrap = () => {
      throw new Error("no disk");
    };
    const { kernel, logged } = makeKernel({ plugins: [definePlugin({ name: "a", bootstrap, destroy })] });
    expect((await thrownBy(() => kernel.start())).message).to.contain("no disk");
    expect(logged.map((error) => (error as PlinthError).code)).to.deep.equal(["PLINTH_KERNEL_STOP_FAILED"]);
  });

  it("stops everything even when parts of it fail, and names all of them (PLINTH_KERNEL_STOP_FAILED)", async () => {
    const log: string[] = [];
    const failing = (name: string) =>
      tracer(name, log, { destroy: () => Promise.reject(new Error(`${name} is stuck`)) });
    const { kernel } = makeKernel({ plugins: [failing("a"), tracer("b", log), failing("c")] });
    await kernel.start();
    const error = await thrownBy(() => kernel.stop());
    expect(error.code).to.equal("PLINTH_KERNEL_STOP_FAILED");
    expect(error.details).to.deep.equal({
      failures: [
        { part: "c", message: 'Plugin "c" failed in destroy: c is stuck' },
        { part: "a", message: 'Plugin "a" failed in destroy: a is stuck' },
      ],
    });
    expect((error.cause as AggregateError).errors).to.have.length(2);
    expect(log.at(-1)).to.equal("destroy b");
  });

  it("gives up a start that is stopped meanwhile, and undoes it (PLINTH_KERNEL_INTERRUPTED)", async () => {
    const log: string[] = [];
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const bootstrap = async () => {
      begin();
      await new Promise(setImmediate);
      log.push("bootstrap a");
    };
    const { kernel } = makeKernel({ plugins: [tracer("a", log, { bootstrap }), tracer("b", log)] });
    const starting = thrownBy(() => kernel.start());
    await begun;
    await kernel.stop();
    expect((await starting).code).to.equal("PLINTH_KERNEL_INTERRUPTED");
    expect(log).to.deep.equal(["register a", "register b", "bootstrap a", "destroy a"]);
  });

  it("stops once however often it is told to, and also without a start", async () => {
    const log: string[] = [];
    const { kernel } = makeKernel({ plugins: [tracer("a", log)] });
    await kernel.start();
    await Promise.all([kernel.stop(), kernel.stop()]);
    expect(log.filter((line) => line === "destroy a")).to.have.length(1);
    await makeKernel({ plugins: [] }).kernel.stop();
  });

  it("starts once (PLINTH_KERNEL_STATE)", async () => {
    const { kernel } = makeKernel({ plugins: [] });
    await kernel.start();
    const error = await thrownBy(() => kernel.start());
    expect(error.code).to.equal("PLINTH_KERNEL_STATE");
    expect(error.details).to.deep.equal({ action: "start()", phase: "running" });
  });

  it("waits for notifications that are under way before it destroys anything", async () => {
    const onAdded = hook.notify<object>("shelf:onAdded", "After a book was added.");
    const log: string[] = [];
    const listener = definePlugin({
      name: "listener",
      hooks: [onAdded],
      register: ({ on }) =>
        on(onAdded, async () => {
          await new Promise(setImmediate);
          log.push("told");
        }),
      bootstrap: ({ hooks }) => void hooks.notify(onAdded, {}),
      destroy: () => void log.push("destroyed"),
    });
    const { kernel } = makeKernel({ plugins: [listener] });
    await (await kernel.start()).stop();
    expect(log).to.deep.equal(["told", "destroyed"]);
  });

  it("refuses a register that returns a promise, and logs what that promise fails with (PLINTH_PLUGIN_ASYNC_REGISTER)", async () => {
    const register = (async () => {
      throw new Error("later");
    }) as unknown as () => void;
    const { kernel, logged } = makeKernel({ plugins: [definePlugin({ name: "eager", register })] });
    const error = await thrownBy(() => kernel.start());
    expect(error.code).to.equal("PLINTH_PLUGIN_ASYNC_REGISTER");
    expect(error.message).to.contain('"eager"');
    await new Promise(setImmediate);
    expect(logged.map(({ message }) => message)).to.deep.equal(['Plugin "eager" failed in register: later']);
  });

  it("names the plugin and the phase when register throws, and keeps the coded cause", async () => {
    const register = () => void definePlugin({ name: "Bad Name" });
    const { kernel } = makeKernel({ plugins: [definePlugin({ name: "a", register })] });
    const error = await thrownBy(() => kernel.start());
    expect(error.details).to.deep.include({ plugin: "a", phase: "register" });
    expect(error.cause).to.include({ code: "PLINTH_PLUGIN_NAME" });
  });

  it("collects what is wrong when everything is declared (PLINTH_KERNEL_DEFINITIONS)", async () => {
    const undeclared = hook.notify<object>("shelf:onAdded", "After a book was added.");
    const { kernel } = makeKernel({
      plugins: [
        definePlugin({
          name: "a",
          register({ on, registry }) {
            on(undeclared, () => undefined);
            registry("policy").wrap("plugin::shelf.missing", (policy) => policy);
          },
        }),
      ],
    });
    const error = await thrownBy(() => kernel.start());
    expect(error.code).to.equal("PLINTH_KERNEL_DEFINITIONS");
    expect((error.cause as AggregateError).errors).to.have.length(2);
    expect(error.message).to.contain('policy "plugin::shelf.missing"').and.contain('hook "shelf:onAdded"');
  });
});

describe("two kernels in one process", () => {
  it("share nothing, even with the same plugins", async () => {
    const counter = { count: 0 };
    const shelf = definePlugin({
      name: "shelf",
      config: (raw) => ({ size: Number(raw) }),
      policies: { "is-open": () => true },
    });
    const first = makeKernel({ plugins: [shelf], pluginConfig: { shelf: 1 } }).kernel;
    const second = makeKernel({ plugins: [shelf], pluginConfig: { shelf: 2 } }).kernel;
    first.hooks.intercept((_, next) => {
      counter.count++;
      return next();
    });
    await Promise.all([first.start(), second.start()]);
    expect(first.app.plugin("shelf").config).to.deep.equal({ size: 1 });
    expect(second.app.plugin("shelf").config).to.deep.equal({ size: 2 });
    await first.stop();
    expect([first.report().phase, second.report().phase]).to.deep.equal(["stopped", "running"]);
    await second.stop();
  });
});

describe("the report of a kernel", () => {
  it("tells the order of plugins, why it is so, and the time of every phase", async () => {
    const log: string[] = [];
    const slow = definePlugin({ name: "slow", bootstrap: () => new Promise((done) => setTimeout(done, 20)) });
    const { kernel } = makeKernel({
      plugins: [tracer("b", log, { dependsOn: [slow], after: ["a", "absent"] }), tracer("a", log), slow],
      sync: step("sync", log),
      listen: step("listen", log),
    });
    expect(kernel.report()).to.deep.include({ phase: "created", steps: {}, hooks: [] });
    await kernel.start();
    const { plugins, steps } = kernel.report();
    expect(plugins.map(({ name, dependsOn, after }) => ({ name, dependsOn, after }))).to.deep.equal([
      { name: "slow", dependsOn: [], after: [] },
      { name: "a", dependsOn: [], after: [] },
      { name: "b", dependsOn: ["slow"], after: ["a"] },
    ]);
    expect(plugins[0]?.ms).to.have.all.keys("declare", "register", "bootstrap");
    expect(plugins[0]?.ms.bootstrap).to.be.within(15, 2000);
    expect(steps).to.have.all.keys("seal", "sync", "listen");
    await kernel.stop();
    expect(kernel.report().plugins[0]?.ms.destroy).to.be.a("number");
  });

  it("lists the hooks and who listens to them", async () => {
    const added = hook.notify<object>("shelf:onAdded", "After a book was added.");
    const { kernel } = makeKernel({
      plugins: [
        definePlugin({ name: "listener", register: ({ on }) => on(added, () => undefined) }),
        definePlugin({ name: "shelf", hooks: [added] }),
      ],
    });
    await kernel.start();
    expect(kernel.report().hooks).to.deep.equal([{ ...added, owner: "shelf", taps: ["listener"] }]);
    await kernel.stop();
  });
});
