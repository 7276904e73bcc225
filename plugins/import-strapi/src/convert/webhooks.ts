import type { EndpointValues } from "@plinth/plugin-webhooks";
import type { Issues } from "../issues.js";
import { isObject } from "../source/check-line.js";
import type { ExportedSetting } from "../source/export-format.js";

/** Types of events that are called the same there and here. */
const EVENT = /^(?:entry\.(?:create|update|delete|publish|unpublish|draft-discard)|media\.(?:create|update|delete))$/;

/**
 * The webhooks of an export as endpoints that send bodies in the form of Strapi. Names are unique here: the second
 * of one name gets a number. What has no event of this server is an issue.
 */
export function endpointsOf(settings: readonly ExportedSetting[], issues: Issues): readonly EndpointValues[] {
  const named = new Map<string, EndpointValues>();
  const hooks = settings
    .filter(({ type }) => type === "webhook")
    .flatMap(({ value }) => endpointsOfHook(value, issues));
  for (const hook of hooks) {
    let name = hook.name;
    for (let number = 2; named.has(name); number += 1) name = `${hook.name} (${number})`;
    named.set(name, { ...hook, name });
  }
  return [...named.values()];
}

type Values = Readonly<Record<string, unknown>>;

/** One for the events of all content-types, and one for each content-type that has events of its own. */
function endpointsOfHook(hook: Values, issues: Issues): readonly EndpointValues[] {
  const { headers, enabled, contentTypeEvents } = hook;
  const [name, url] = [String(hook["name"]), String(hook["url"])];
  const own = isObject(contentTypeEvents) ? Object.entries(contentTypeEvents) : [];
  const common = {
    ...({ url, format: "strapi", enabled: enabled !== false } as const),
    ...(isObject(headers) ? { headers: headers as Readonly<Record<string, string>> } : {}),
  };
  const found = [
    { name, events: eventsOf(hook["events"], name, issues), types: null },
    ...own.map(([uid, events]) => ({ name: `${name}: ${uid}`, events: eventsOf(events, name, issues), types: [uid] })),
  ].filter(({ events }) => events.length > 0);
  if (found.length === 0) issues.add(`webhook ${name}`, "it is left out: it names no event that there is here");
  return found.map((each) => ({ ...each, ...common }));
}

function eventsOf(given: unknown, name: string, issues: Issues): readonly string[] {
  const events = Array.isArray(given) ? given.map(String) : [];
  for (const event of events.filter((each) => !EVENT.test(each)))
    issues.add(`webhook ${name}`, `its event ${event} is left out: there is none here`);
  return events.filter((event) => EVENT.test(event));
}
