import type { Command } from "@plinth/core";
import { type Delivery, type DeliveryState, type Endpoint, webhooks } from "./contract.js";
import { EndpointUnknownError } from "./errors.js";
import { parseLimit, parseSelection } from "./parse-selection.js";

const WHICH = {
  "--endpoint <name|id>": "to one endpoint only",
  "--event <id>": "of one event only: its number, or the webhook-id of a message",
  "--since <time>": "of events since then: 90m, 12h, 3d or a date",
};

const listEndpoints: Command = {
  description: "list the endpoints of webhooks, and how they are",
  options: { "--json": "print JSON" },
  run: async ({ app, options, print, table }) => {
    const all = await app.service(webhooks).list();
    if (options["json"]) return print(JSON.stringify(all, undefined, 2));
    if (all.length === 0) return print("There are no endpoints.");
    print(table(["ID", "NAME", "URL", "EVENTS", "STATE"], all.map(rowOfEndpoint)));
  },
};

function rowOfEndpoint({
  documentId,
  name,
  url,
  events,
  enabled,
  disabled,
  failingSince,
}: Endpoint): readonly string[] {
  const failing = failingSince === null ? "enabled" : `failing since ${failingSince}`;
  return [
    documentId,
    name,
    url,
    events.join(" "),
    enabled ? failing : `disabled${disabled ? `: ${disabled.reason}` : ""}`,
  ];
}

const enable: Command = {
  description: "have an endpoint get deliveries again, those that wait for it included",
  arguments: ["<endpoint>"],
  run: async ({ app, arguments: { endpoint = "" }, print }) => {
    const service = app.service(webhooks);
    const known = await service.find(endpoint);
    if (!known) throw new EndpointUnknownError({ endpoint, known: (await service.list()).map(({ name }) => name) });
    await service.update(known.documentId, { enabled: true });
    print(`"${known.name}" is enabled.`);
  },
};

const list: Command = {
  description: "list deliveries of webhooks, the latest first",
  options: {
    ...WHICH,
    "--state <state>": "waiting, delivered, dead or dropped only",
    "--limit <n>": "at most n, up to 1000; 100 by default",
    "--json": "print JSON, with the answers",
  },
  run: async ({ app, options, print, table }) => {
    const filter = parseSelection(options, app.clock.now());
    const found = await app.service(webhooks).deliveries(filter, parseLimit(options["limit"]));
    if (options["json"]) return print(JSON.stringify(found, undefined, 2));
    if (found.length === 0) return print("There are no such deliveries.");
    const names = new Map((await app.service(webhooks).list()).map(({ documentId, name }) => [documentId, name]));
    const rows = found.map((each) => rowOf(each, names.get(each.endpoint) ?? each.endpoint));
    print(table(["EVENT", "ENDPOINT", "TYPE", "DOCUMENT", "STATE", "TRIES", "NEXT", "REASON"], rows));
  },
};

const rowOf = (
  { event, type, documentId, state, attempts, nextAt, error }: Delivery,
  name: string,
): readonly string[] => [
  ...[String(event), name, type, documentId ?? "", state, String(attempts), nextAt ?? "", error ?? ""],
];

/** Whose deliveries a command changes: those that are dead, if nothing else is said. */
function stateOf({ delivered, waiting }: Readonly<Record<string, unknown>>): DeliveryState {
  if (delivered === true) return "delivered";
  return waiting === true ? "waiting" : "dead";
}

const replay: Command = {
  description: "send deliveries again that are dead, or others",
  options: {
    ...WHICH,
    "--delivered": "those that were delivered",
    "--waiting": "those that wait for their next try, at once",
  },
  run: async ({ app, options, print }) => {
    const filter = parseSelection(options, app.clock.now());
    const count = await app.service(webhooks).replay({ ...filter, state: stateOf(options) });
    print(`${count} ${count === 1 ? "delivery is" : "deliveries are"} sent again.`);
  },
};

const drop: Command = {
  description: "forget deliveries that are dead and that nobody will get, or others",
  options: { ...WHICH, "--waiting": "those that wait" },
  run: async ({ app, options, print }) => {
    const filter = parseSelection(options, app.clock.now());
    const count = await app.service(webhooks).drop({ ...filter, state: stateOf(options) });
    print(`${count} ${count === 1 ? "delivery is" : "deliveries are"} dropped.`);
  },
};

/** `plinth webhooks ...`. */
export const commands: Readonly<Record<string, Command>> = {
  "webhooks endpoints": listEndpoints,
  "webhooks enable": enable,
  "webhooks deliveries": list,
  "webhooks replay": replay,
  "webhooks drop": drop,
};
