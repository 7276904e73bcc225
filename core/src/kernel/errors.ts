import { createError, type ErrorCode } from "../base/error.js";
import { describeKnown } from "../base/suggest.js";

/** A plugin's name cannot be part of a uid. */
export const PluginNameError = createError<{ plugin: string }>(
  "PLINTH_PLUGIN_NAME",
  500,
  (d) => `"${d.plugin}" cannot be the name of a plugin; write lower case letters, digits and hyphens, a letter first.`,
  {
    cause: "definePlugin got a name that is not in kebab-case.",
    remedy: "Rename the plugin: `users-permissions`, not `UsersPermissions`.",
  },
);

/** A plugin's definition has a key that nothing reads. */
export const PluginKeyError = createError<{ plugin: string; key: string; known: readonly string[] }>(
  "PLINTH_PLUGIN_UNKNOWN_KEY",
  500,
  (d) => `"${d.key}" is not a key of the definition of "${d.plugin}". ${describeKnown(d.key, d.known)}`,
  {
    cause: "The object that definePlugin or defineApp got has a misspelt key, or one that Plinth does not know.",
    remedy: "Correct the key as the message says, or remove it.",
  },
);

/** Two plugins have one name. */
export const PluginDuplicateError = createError<{ plugin: string }>(
  "PLINTH_PLUGIN_DUPLICATE",
  500,
  (d) => `The plugin "${d.plugin}" is listed twice; remove one of the two, or rename it.`,
  {
    cause: 'The list of plugins holds two of one name; the app itself is the plugin "app".',
    remedy: "Remove one of the two from the list, or give a local plugin another name.",
  },
);

/** Plugins that others depend on are not there; all of them at once. */
export const PluginMissingError = createError<{
  missing: readonly { readonly plugin: string; readonly dependency: string }[];
}>(
  "PLINTH_PLUGIN_MISSING",
  500,
  (d) =>
    d.missing
      .map(
        (m) =>
          `Plugin "${m.plugin}" depends on "${m.dependency}", which is not enabled; enable it, or remove "${m.plugin}".`,
      )
      .join("\n"),
  {
    cause: "A plugin names another in dependsOn, and that one is not enabled.",
    remedy: "Enable the missing plugin, or use `after` where it is needed for ordering only.",
  },
);

/** Plugins depend on each other in a cycle. */
export const PluginCycleError = createError<{ path: readonly string[] }>(
  "PLINTH_PLUGIN_CYCLE",
  500,
  (d) => `Plugins depend on each other in a cycle: ${d.path.join(" -> ")}; remove one dependsOn or after of it.`,
  {
    cause: "Following dependsOn and after from a plugin leads back to it.",
    remedy: "Remove one of the entries that the message shows, or move what both need into a third plugin.",
  },
);

/** A phase of a plugin threw; `cause` is what it threw. */
export const PluginPhaseError = createError<{ plugin: string; phase: string; reason: string }>(
  "PLINTH_PLUGIN_PHASE",
  500,
  (d) => `Plugin "${d.plugin}" failed in ${d.phase}: ${d.reason}`,
  {
    cause: "The plugin's code threw in the phase that the message names.",
    remedy: "Read the reason and the cause of the error; they come from the plugin.",
  },
);

/** register() is asynchronous. */
export const PluginAsyncRegisterError = createError<{ plugin: string }>(
  "PLINTH_PLUGIN_ASYNC_REGISTER",
  500,
  (d) => `Plugin "${d.plugin}" returned a promise from register(); declare there, and wait for things in bootstrap().`,
  {
    cause: "register() is an async function, or returns a promise.",
    remedy: "Move what must be awaited to bootstrap(), or to a config file that exports an async function.",
  },
);

/** The configuration of plugins is wrong; all problems at once. */
export const ConfigInvalidError = createError<{
  problems: readonly { readonly plugin: string; readonly message: string }[];
}>(
  "PLINTH_CONFIG_INVALID",
  500,
  (d) => `The configuration of plugins is wrong:\n${d.problems.map((p) => `  ${p.plugin}: ${p.message}`).join("\n")}`,
  {
    cause: "A plugin refused its configuration, takes none, or is not enabled.",
    remedy: "Correct each line of the message in the configuration of plugins.",
  },
);

/** Two things of one kind have one name. */
export const RegistryDuplicateError = createError<{ registry: string; uid: string; owner: string; first: string }>(
  "PLINTH_REGISTRY_DUPLICATE",
  500,
  (d) =>
    `The ${d.registry} "${d.uid}" of plugin "${d.owner}" exists already, from "${d.first}"; rename it, or change the first by extend or wrap.`,
  {
    cause: "Two plugins, or one plugin twice, add things of one kind under one name.",
    remedy: "Rename one of them; to change another plugin's thing, extend or wrap it instead.",
  },
);

/** No plugin added what is asked for. */
export const RegistryUnknownError = createError<{
  registry: string;
  uid: string;
  known: readonly string[];
  owner?: string;
}>(
  "PLINTH_REGISTRY_UNKNOWN",
  500,
  (d) =>
    `There is no ${d.registry} "${d.uid}"${d.owner === undefined ? "" : `, which plugin "${d.owner}" wants to change or handle`}. ${describeKnown(d.uid, d.known)}`,
  {
    cause: "The name is misspelt, its plugin is not enabled, or its owner did not declare it.",
    remedy: "Use a name from the list in the message, or enable the plugin that provides it.",
  },
);

/** Something is added or changed after the registries froze. */
export const RegistrySealedError = createError<{ registry: string; uid: string; owner: string }>(
  "PLINTH_REGISTRY_SEALED",
  500,
  (d) =>
    `The ${d.registry} "${d.uid}" of plugin "${d.owner}" comes too late: what exists is fixed after register(); do it there.`,
  {
    cause: "A registry was written to after all plugins had registered.",
    remedy: "Move the call to register(), or into the plugin's definition.",
  },
);

/** A registry is read while it still fills. */
export const RegistryOpenError = createError<{ registry: string; uid: string }>(
  "PLINTH_REGISTRY_OPEN",
  500,
  (d) =>
    `The ${d.registry} "${d.uid}" cannot be read yet: plugins may still change it; read it in bootstrap(), or change it by extend or wrap.`,
  {
    cause: "A registry was read before all plugins had registered.",
    remedy: "Read it in bootstrap(); to change an entry in register(), use extend or wrap.",
  },
);

/** An extend or a wrap threw or returned nothing. */
export const RegistryChangeError = createError<{ registry: string; uid: string; owner: string; reason: string }>(
  "PLINTH_REGISTRY_CHANGE_FAILED",
  500,
  (d) => `Plugin "${d.owner}" could not change the ${d.registry} "${d.uid}": ${d.reason}`,
  {
    cause: "A function given to extend or wrap threw, or returned nothing.",
    remedy: "Return the changed value from the function; the cause of the error says what it threw.",
  },
);

/** Services that others depend on are not there; all of them at once. */
export const ServiceMissingDependencyError = createError<{
  missing: readonly { readonly service: string; readonly dependency: string }[];
  known: readonly string[];
}>(
  "PLINTH_SERVICE_MISSING_DEPENDENCY",
  500,
  (d) =>
    d.missing
      .map(
        (m) =>
          `Service "${m.service}" needs "${m.dependency}", which has no implementation. ${describeKnown(m.dependency, d.known)}`,
      )
      .join("\n"),
  {
    cause: "A service names another in its deps, and no enabled plugin implements that one.",
    remedy: "Enable the plugin that implements it, or correct the uid of the ref.",
  },
);

/** Services need each other. */
export const ServiceCycleError = createError<{ path: readonly string[] }>(
  "PLINTH_SERVICE_CYCLE",
  500,
  (d) =>
    `Services depend on each other in a cycle: ${d.path.join(" -> ")}; ask for one of them later, by app.service in a method.`,
  {
    cause: "Creating a service leads, by its deps or by app.service in its create, back to itself.",
    remedy: "Move what both need into a third service, or call app.service when a method runs.",
  },
);

/** create() of a service, or of an extension, threw. */
export const ServiceCreateError = createError<{ service: string; reason: string }>(
  "PLINTH_SERVICE_CREATE_FAILED",
  500,
  (d) => `The service "${d.service}" could not be created: ${d.reason}`,
  {
    cause: "The create function of the service threw.",
    remedy: "Read the reason and the cause of the error; they come from the service.",
  },
);

/** Something else than a function was to handle a hook. */
export const HookHandlerInvalidError = createError<{ hook: string; given: string }>(
  "PLINTH_HOOK_HANDLER_INVALID",
  500,
  (d) => `The handler of "${d.hook}" has to be a function; it is of type ${d.given}.`,
  {
    cause: "Code of the app or of a plugin calls `on(hook, handler)` or `app.hooks.intercept` without a function.",
    remedy: "Pass a function; where it is imported, check that the file exports that name.",
  },
);

/** A handler of a hook threw; `cause` is what it threw. */
export const HookHandlerError = createError<{ hook: string; owner: string; reason: string }>(
  "PLINTH_HOOK_HANDLER_FAILED",
  500,
  (d) => `The handler of "${d.hook}" in plugin "${d.owner}" failed: ${d.reason}`,
  {
    cause: "A plugin's handler threw something other than one of its own coded errors.",
    remedy: "Read the reason and the cause; a handler that refuses on purpose throws an error made by createError.",
  },
);

/** The order of handlers of one hook contradicts itself. */
export const HookOrderError = createError<{ hook: string; path: readonly string[] }>(
  "PLINTH_HOOK_ORDER_CYCLE",
  500,
  (d) => `The handlers of "${d.hook}" are ordered in a cycle: ${d.path.join(" -> ")}; remove one before or after.`,
  {
    cause: "The before and after of the handlers of one hook contradict each other.",
    remedy: "Remove one of the entries that the message shows.",
  },
);

/** A transform handler returned nothing. */
export const HookNoReturnError = createError<{ hook: string; owner: string }>(
  "PLINTH_HOOK_NO_RETURN",
  500,
  (d) => `The handler of "${d.hook}" in plugin "${d.owner}" returned nothing; a transform handler returns its value.`,
  {
    cause: "A handler of a transform hook ended without returning the value.",
    remedy: "Return the value on every path through the handler, also when nothing changes.",
  },
);

/** An around handler called next() twice. */
export const HookNextTwiceError = createError<{ hook: string; owner: string }>(
  "PLINTH_HOOK_NEXT_TWICE",
  500,
  (d) => `The handler of "${d.hook}" in plugin "${d.owner}" called next() twice; call it once, and keep its result.`,
  {
    cause: "An around handler called next more than once for one call.",
    remedy: "Keep the promise that next returns, and use it again.",
  },
);

/** Something is used before it exists. */
export const AppTooEarlyError = createError<{ what: string; phase: string; from: string }>(
  "PLINTH_APP_TOO_EARLY",
  500,
  (d) => `${d.what} does not exist yet in ${d.phase}; use it from ${d.from} on.`,
  {
    cause:
      "A plugin reached for something that acts (a service, the database, documents) while everything is being declared.",
    remedy: "Move the call to the phase that the message names.",
  },
);

/** An operation that is not allowed in the kernel's phase. */
export const KernelStateError = createError<{ action: string; phase: string }>(
  "PLINTH_KERNEL_STATE",
  500,
  (d) =>
    `${d.action} is not possible in phase "${d.phase}"; a kernel starts once, and is filled before that. Create another one.`,
  {
    cause: "start() was called a second time, or provide() after the start.",
    remedy: "Create a new kernel for a new start, and call provide() before start().",
  },
);

/** stop() came while the app started. */
export const KernelInterruptedError = createError<{ phase: string }>(
  "PLINTH_KERNEL_INTERRUPTED",
  503,
  (d) => `The start was given up in ${d.phase}, because stop() was called; nothing is left to do.`,
  {
    cause: "stop() was called before start() had finished.",
    remedy: "Nothing: what had started was stopped again. Start again if that was not intended.",
  },
);

/** Several definitions contradict each other; `cause` is an AggregateError with one coded error each. */
export const KernelDefinitionsError = createError<{
  problems: readonly { readonly code: ErrorCode; readonly message: string }[];
}>(
  "PLINTH_KERNEL_DEFINITIONS",
  500,
  (d) =>
    `${d.problems.length} definitions are wrong:\n${d.problems.map((p) => `  ${p.code}: ${p.message}`).join("\n")}`,
  {
    cause: "More than one problem was found when everything was declared.",
    remedy: "Correct each line of the message; its code is in this catalogue.",
  },
);

/** Parts failed while the app stopped; every other part was stopped. `cause` is an AggregateError. */
export const KernelStopError = createError<{
  failures: readonly { readonly part: string; readonly message: string }[];
}>(
  "PLINTH_KERNEL_STOP_FAILED",
  500,
  (d) => `Not everything stopped cleanly:\n${d.failures.map((f) => `  ${f.part}: ${f.message}`).join("\n")}`,
  {
    cause: "destroy() of a plugin, or the stop of the server or the database, threw.",
    remedy: "Correct the part that the message names; the rest was stopped all the same.",
  },
);
