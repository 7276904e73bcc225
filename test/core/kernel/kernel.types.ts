// Compiled, never run: every expected error below is counted by kernel-types.test.ts, and tsc proves that it happens.
import {
  createError,
  defineApp,
  definePlugin,
  extensionRef,
  hook,
  implement,
  type KernelApp,
  type ServiceOf,
  serviceRef,
} from "@plinth/core";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <_T extends true>(): void => undefined;

interface Files {
  store(name: string): Promise<{ readonly url: string }>;
}
interface Menu {
  add(item: "tea" | "cake"): void;
}
declare module "@plinth/core" {
  interface Services {
    "plugin::test-types.files": Files;
    "plugin::test-types.menu": Menu;
  }
  interface PluginConfigs {
    "test-types": { readonly limit: number };
  }
}

const files = serviceRef<Files>("plugin::test-types.files");
const menu = extensionRef<Menu>("plugin::test-types.menu");
const afterAdd = hook.series<{ user: number }>("shelf:afterAdd", "After a book was added.");
const transformName = hook.waterfall<string>("shelf:transformName", "Makes the name.");
same<Equal<ServiceOf<typeof files>, Files>>();

export const inferred = definePlugin({
  name: "inferred",
  config: () => ({ limit: 1 }),
  register: ({ config }) => same<Equal<typeof config.limit, number>>(),
});

export const plugin = definePlugin<{ limit: number }>({
  name: "test-types",
  register(context) {
    same<Equal<typeof context.config.limit, number>>();
    // @ts-expect-error the configuration cannot be changed
    context.config.limit = 2;
    context.on(afterAdd, (event) => same<Equal<typeof event, { user: number }>>());
    // @ts-expect-error there are no services while plugins declare
    context.service(files);
    // @ts-expect-error a transform handler must return its value
    context.on(transformName, (name) => void name.length);
    // @ts-expect-error an extension has the type of its ref
    context.extension(menu).add("soup");
    // @ts-expect-error a wrapper returns what it wraps
    context.wrap(files, () => ({}));
    context.wrap("plugin::test-types.files", (inner) => ({ ...inner }));
    // @ts-expect-error nobody declared registries of this kind
    context.registry("no-such-kind");
  },
  async bootstrap(context) {
    same<Equal<ReturnType<typeof read>, Files>>();
    const read = () => context.service(files);
    same<Equal<ReturnType<typeof readByUid>, Files>>();
    const readByUid = () => context.service("plugin::test-types.files");
    // @ts-expect-error no such uid
    context.service("plugin::test-types.filez");
    // @ts-expect-error what exists is fixed after register
    context.on(afterAdd, () => undefined);
    // @ts-expect-error and so is what wraps it
    context.wrap(files, (inner) => inner);
    // @ts-expect-error wrong argument type
    await context.service(files).store(1);
    // @ts-expect-error the event has another type
    await context.hooks.series(afterAdd, { user: "1" });
    // @ts-expect-error a series hook is not called as a waterfall
    await context.hooks.waterfall(afterAdd, {}, {});
  },
});

export function strings(app: KernelApp): void {
  same<Equal<ReturnType<typeof byPlugin>, Files>>();
  const byPlugin = () => app.plugin("test-types").service("files");
  // @ts-expect-error this plugin has no such service
  app.plugin("test-types").service("filez");
  const config = () => app.plugin("test-types").config.limit;
  same<Equal<ReturnType<typeof config>, number>>();
  const port = () => app.config.get("server.port", 1337);
  same<Equal<ReturnType<typeof port>, number>>();
  const anything = () => app.config.get("server.port");
  same<Equal<ReturnType<typeof anything>, unknown>>();
  const told = () => app.config.get<number>("server.port");
  same<Equal<ReturnType<typeof told>, number | undefined>>();
}

// @ts-expect-error the verb tells the kind: a series hook is before* or after*
hook.series<object>("shelf:transformName", "");
// @ts-expect-error a hook says what it is for
hook.series<object>("shelf:beforeName");
// @ts-expect-error codes are upper case with the prefix
createError<object>("plinth_x", 500, () => "", { cause: "", remedy: "" });
// @ts-expect-error an error without a remedy is half an error
createError<object>("PLINTH_TYPES_A", 500, () => "", { cause: "" });
// @ts-expect-error a ref's name is a uid
serviceRef<Files>("files");
// @ts-expect-error an implementation honours its ref
implement(files, { create: () => ({ store: async () => 1 }) });
// @ts-expect-error all of it
implement(files, { create: () => ({}) });
// @ts-expect-error deps are refs
implement(files, { deps: { files: 1 }, create: () => ({ store: async (url) => ({ url }) }) });
const needy = implement(files, {
  create: (_, { config }: { readonly config: { readonly limit: number } }) => ({
    store: async (url) => ({ url: url + config.limit }),
  }),
});
definePlugin<{ limit: number }>({ name: "fits", services: [needy] });
// @ts-expect-error the service needs a configuration that this plugin has not
definePlugin<{ size: number }>({ name: "does-not-fit", services: [needy] });
export const app = defineApp({ register: ({ wrap }) => wrap(files, (inner) => inner) });
