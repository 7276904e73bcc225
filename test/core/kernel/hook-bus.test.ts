import { expect } from "chai";
import { createError } from "#core/base/error.js";
import { type AnyHook, hook } from "#core/kernel/hook.js";
import { HookBus } from "#core/kernel/hook-bus.js";
import { thrownBy } from "./thrown-by.js";

const RefusedError = createError<object>("PLINTH_TESTING_REFUSED", 403, () => "Refused.", {
  cause: "A test threw it.",
  remedy: "None is needed.",
});
const before = hook.series<string[]>("shelf:beforeAdd", "Before a book is added.");
const transform = hook.waterfall<string, { suffix: string }>("shelf:transformTitle", "Makes the title.");
const resolve = hook.bail<number, string>("shelf:resolvePlace", "Where a book stands.");
const on = hook.notify<string[]>("shelf:onAdded", "After a book was added.");
const around = hook.around<{ factor: number }, number>("shelf:aroundCount", "Around counting.");

function makeBus(tap: (bus: HookBus) => void, hooks: readonly AnyHook[] = [before, transform, resolve, on, around]) {
  const logged: Error[] = [];
  const bus = new HookBus((error) => logged.push(error));
  for (const target of hooks) bus.declare(target, "shelf");
  tap(bus);
  return { bus, logged, problems: bus.seal() };
}

describe("hooks", () => {
  it("refuse a handler that is no function when it is added, and go on without it", async () => {
    const { bus } = makeBus((open) => {
      expect(() => open.tap(before, 7 as never, { owner: "a" }))
        .to.throw()
        .with.property("code", "PLINTH_HOOK_HANDLER_INVALID");
    });
    expect(() => bus.intercept(undefined as never)).to.throw(
      '"intercept" has to be a function; it is of type undefined',
    );
    const log: string[] = [];
    await bus.series(before, log);
    expect(log).to.deep.equal([]);
  });

  it("of the series kind run one by one, and the first failure ends them", async () => {
    const { bus } = makeBus((open) => {
      open.tap(
        before,
        async (log) => {
          await Promise.resolve();
          log.push("a");
        },
        { owner: "a" },
      );
      open.tap(
        before,
        (log) => {
          log.push("b");
          throw new RefusedError({});
        },
        { owner: "b" },
      );
      open.tap(
        before,
        (log) => {
          log.push("c");
        },
        { owner: "c" },
      );
    });
    const log: string[] = [];
    expect((await thrownBy(() => bus.series(before, log))).code).to.equal("PLINTH_TESTING_REFUSED");
    expect(log).to.deep.equal(["a", "b"]);
  });

  it("of the waterfall kind hand the value on, and must return it (PLINTH_HOOK_NO_RETURN)", async () => {
    const { bus } = makeBus((open) => {
      open.tap(transform, (title, { suffix }) => title + suffix, { owner: "a" });
      open.tap(transform, async (title) => (title === "gone!" ? (undefined as unknown as string) : `${title}?`), {
        owner: "b",
      });
    });
    expect(await bus.waterfall(transform, "tea", { suffix: "!" })).to.equal("tea!?");
    const error = await thrownBy(() => bus.waterfall(transform, "gone", { suffix: "!" }));
    expect(error.code).to.equal("PLINTH_HOOK_NO_RETURN");
    expect(error.details).to.deep.equal({ hook: "shelf:transformTitle", owner: "b" });
  });

  it("of the bail kind end at the first answer, and null is one", async () => {
    const { bus } = makeBus((open) => {
      open.tap(resolve, () => undefined, { owner: "a" });
      open.tap(resolve, (id) => (id === 1 ? "top" : undefined), { owner: "b" });
      open.tap(resolve, (id) => (id === 2 ? (null as unknown as string) : "floor"), { owner: "c" });
    });
    expect(await bus.bail(resolve, 1)).to.equal("top");
    expect(await bus.bail(resolve, 2)).to.equal(null);
    expect(await bus.bail(resolve, 3)).to.equal("floor");
  });

  it("of the notify kind run in parallel, never fail the caller, and log failures with their plugin", async () => {
    const { bus, logged } = makeBus((open) => {
      open.tap(
        on,
        async (log) => {
          await new Promise(setImmediate);
          log.push("slow");
        },
        { owner: "a" },
      );
      open.tap(
        on,
        () => {
          throw new RefusedError({});
        },
        { owner: "b" },
      );
      open.tap(
        on,
        (log) => {
          log.push("quick");
        },
        { owner: "c" },
      );
    });
    const log: string[] = [];
    await bus.notify(on, log);
    expect(log).to.deep.equal(["quick", "slow"]);
    expect(logged).to.have.length(1);
    expect(logged[0]).to.include({ code: "PLINTH_HOOK_HANDLER_FAILED" });
    expect(logged[0]?.message).to.equal('The handler of "shelf:onAdded" in plugin "b" failed: Refused.');
    expect(logged[0]?.cause).to.include({ code: "PLINTH_TESTING_REFUSED" });
  });

  it("of the notify kind are waited for by idle() when nobody awaits them", async () => {
    const { bus } = makeBus((open) => {
      open.tap(
        on,
        async (log) => {
          await new Promise(setImmediate);
          log.push("done");
        },
        { owner: "a" },
      );
    });
    const log: string[] = [];
    void bus.notify(on, log);
    await bus.idle();
    expect(log).to.deep.equal(["done"]);
  });

  it("of the around kind wrap each other, the first outermost, and may answer alone", async () => {
    const { bus } = makeBus((open) => {
      open.tap(around, async ({ factor }, next) => (factor === 0 ? 0 : factor * (await next())), { owner: "a" });
      open.tap(around, async (_, next) => 1 + (await next()), { owner: "b" });
    });
    expect(await bus.around(around, { factor: 10 }, async () => 5)).to.equal(60);
    expect(await bus.around(around, { factor: 0 }, () => expect.fail("must not run"))).to.equal(0);
  });

  it("of the around kind let a failure of the work itself through as it is", async () => {
    const { bus } = makeBus((open) => open.tap(around, (_, next) => next(), { owner: "a" }));
    const failure = new Error("connection lost");
    const caught = await bus
      .around(around, { factor: 1 }, async () => {
        throw failure;
      })
      .catch((error: unknown) => error);
    expect(caught).to.equal(failure);
  });

  it("of the around kind go on once only (PLINTH_HOOK_NEXT_TWICE)", async () => {
    const { bus } = makeBus((open) =>
      open.tap(around, async (_, next) => (await next()) + (await next()), { owner: "a" }),
    );
    const error = await thrownBy(() => bus.around(around, { factor: 1 }, async () => 1));
    expect(error.code).to.equal("PLINTH_HOOK_NEXT_TWICE");
    expect(error.details).to.deep.equal({ hook: "shelf:aroundCount", owner: "a" });
  });

  it("do nothing where nobody listens, and say so cheaply", async () => {
    const { bus } = makeBus((open) => open.tap(before, () => undefined, { owner: "a" }));
    expect([bus.has(before), bus.has(on)]).to.deep.equal([true, false]);
    expect(await bus.waterfall(transform, "tea", { suffix: "" })).to.equal("tea");
    expect(await bus.bail(resolve, 1)).to.equal(undefined);
    expect(await bus.around(around, { factor: 1 }, async () => 7)).to.equal(7);
  });

  it("are left out of what is about something else than they are", async () => {
    const written = hook.series<{ readonly uid: string }>("books:afterWrite", "After a book or page was written.");
    const told: string[] = [];
    const { bus } = makeBus(
      (open) => {
        open.tap(written, ({ uid }) => void told.push(`all ${uid}`), { owner: "a" });
        open.tap(written, ({ uid }) => void told.push(`books ${uid}`), { owner: "b", about: ["book"] });
        open.tap(around, () => Promise.resolve(0), { owner: "b", about: ["book"] });
      },
      [written, around],
    );
    await bus.series(written, { uid: "page" });
    await bus.series(written, { uid: "book" });
    expect(told).to.deep.equal(["all page", "all book", "books book"]);
    expect([bus.has(around), bus.has(around, "page"), bus.has(around, "book")]).to.deep.equal([true, false, true]);
  });

  it("name hook and plugin in a failure and keep its cause (PLINTH_HOOK_HANDLER_FAILED)", async () => {
    const cause = new TypeError("title is not a function");
    const { bus } = makeBus((open) =>
      open.tap(
        before,
        () => {
          throw cause;
        },
        { owner: "clumsy" },
      ),
    );
    const error = await thrownBy(() => bus.series(before, []));
    expect(error.code).to.equal("PLINTH_HOOK_HANDLER_FAILED");
    expect(error.details).to.deep.equal({
      hook: "shelf:beforeAdd",
      owner: "clumsy",
      reason: "title is not a function",
    });
    expect(error.cause).to.equal(cause);
  });

  it("run in the order of the calls unless before and after say otherwise", async () => {
    const { bus, problems } = makeBus((open) => {
      open.tap(
        before,
        (log) => {
          log.push("a");
        },
        { owner: "a", after: ["c", "absent"] },
      );
      open.tap(
        before,
        (log) => {
          log.push("b");
        },
        { owner: "b" },
      );
      open.tap(
        before,
        (log) => {
          log.push("c");
        },
        { owner: "c", before: ["b"] },
      );
    });
    const log: string[] = [];
    await bus.series(before, log);
    expect(problems).to.deep.equal([]);
    expect(log).to.deep.equal(["c", "a", "b"]);
  });

  it("whose handlers want to precede each other are a problem with a path (PLINTH_HOOK_ORDER_CYCLE)", () => {
    const { problems } = makeBus((open) => {
      open.tap(before, () => undefined, { owner: "a", before: ["b"] });
      open.tap(before, () => undefined, { owner: "b", before: ["a"] });
    });
    expect(problems.map(({ code, details }) => ({ code, ...details }))).to.deep.equal([
      { code: "PLINTH_HOOK_ORDER_CYCLE", hook: "shelf:beforeAdd", path: ["a", "b", "a"] },
    ]);
  });

  it("that nobody declared cannot be listened to or called (PLINTH_REGISTRY_UNKNOWN)", async () => {
    const { bus, problems } = makeBus((open) => open.tap(on, () => undefined, { owner: "a" }), [before]);
    expect(problems.map(({ code, details }) => ({ code, ...details }))).to.deep.equal([
      {
        code: "PLINTH_REGISTRY_UNKNOWN",
        registry: "hook",
        uid: "shelf:onAdded",
        known: ["shelf:beforeAdd"],
        owner: "a",
      },
    ]);
    expect((await thrownBy(() => bus.series(hook.series<object>("shelf:beforeAd", "x"), {}))).message).to.contain(
      'mean "shelf:beforeAdd"',
    );
  });

  it("are declared once and listened to in register only", async () => {
    const { bus } = makeBus(() => undefined);
    expect((await thrownBy(() => makeBus((open) => open.declare(before, "other")))).code).to.equal(
      "PLINTH_REGISTRY_DUPLICATE",
    );
    expect((await thrownBy(() => bus.tap(before, () => undefined, { owner: "late" }))).code).to.equal(
      "PLINTH_REGISTRY_SEALED",
    );
    expect((await thrownBy(() => bus.declare(before, "late"))).code).to.equal("PLINTH_REGISTRY_SEALED");
    expect((await thrownBy(() => new HookBus(() => undefined).has(before))).code).to.equal("PLINTH_REGISTRY_OPEN");
  });

  it("of the gather kind return what goes along, one after the other, and may return nothing", async () => {
    const along = hook.gather<string, string>("shelf:alongAdd", "While a book is added.");
    const { bus } = makeBus(
      (open) => {
        open.tap(along, (title) => [`${title} 1`, `${title} 2`], { owner: "a" });
        open.tap(along, () => undefined, { owner: "b" });
        open.tap(along, (title) => [`${title} 3`], { owner: "c" });
      },
      [along],
    );
    expect(await bus.gather(along, "book")).to.deep.equal(["book 1", "book 2", "book 3"]);
  });

  it("are listed with their kind, description, owner and handlers in order", () => {
    const { bus } = makeBus(
      (open) => {
        open.tap(before, () => undefined, { owner: "b", after: ["a"] });
        open.tap(before, () => undefined, { owner: "a" });
      },
      [before, on],
    );
    expect(bus.list()).to.deep.equal([
      {
        kind: "series",
        name: "shelf:beforeAdd",
        description: "Before a book is added.",
        owner: "shelf",
        taps: ["a", "b"],
      },
      { kind: "notify", name: "shelf:onAdded", description: "After a book was added.", owner: "shelf", taps: [] },
    ]);
  });

  it("let interceptors see every call with hook, kind and owner, outermost first, until they are taken away", async () => {
    const { bus } = makeBus((open) => {
      open.tap(
        before,
        (log) => {
          log.push("handler");
        },
        { owner: "a" },
      );
      open.tap(resolve, () => "top", { owner: "b" });
    });
    const seen: string[] = [];
    const log: string[] = [];
    const remove = bus.intercept(async (call, next) => {
      seen.push(`${call.kind} ${call.hook} ${call.owner}`);
      log.push("outer in");
      const result = await next();
      log.push("outer out");
      return result;
    });
    bus.intercept((_, next) => {
      log.push("inner");
      return next();
    });
    await bus.series(before, log);
    expect(await bus.bail(resolve, 1)).to.equal("top");
    expect(seen).to.deep.equal(["series shelf:beforeAdd a", "bail shelf:resolvePlace b"]);
    expect(log.slice(0, 4)).to.deep.equal(["outer in", "inner", "handler", "outer out"]);
    remove();
    await bus.bail(resolve, 1);
    expect(seen).to.have.length(2);
  });
});
