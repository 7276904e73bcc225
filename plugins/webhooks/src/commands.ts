import type { Command } from "@plinth/core";
import { type Delivery, type Endpoint, webhooks } from "./contract.js";
import { EndpointUnknownError } from "./errors.js";
import { parseLimit, parseSelection } from "./parse-selection.js";

const WHICH = {
  "--endpoint <name|id>": "to one endpoint only",
  "--event <id>": "of one event only: 1207, or evt_1207",
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

const replay: Command = {
  description: "send deliveries again that are dead; with --delivered, those that arrived",
  options: { ...WHICH, "--delivered": "those that were delivered" },
  run: async ({ app, options: { delivered, ...options }, print }) => {
    const state = delivered === true ? "delivered" : "dead";
    const count = await app.service(webhooks).replay({ ...parseSelection(options, app.clock.now()), state });
    print(`${count} ${count === 1 ? "delivery is" : "deliveries are"} sent again.`);
  },
};

/** `plinth webhooks ...`. */
export const commands: Readonly<Record<string, Command>> = {
  "webhooks endpoints": listEndpoints,
  "webhooks enable": enable,
  "webhooks deliveries": list,
  "webhooks replay": replay,
};
