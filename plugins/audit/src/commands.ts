import { once } from "node:events";
import type { Command, CommandContext } from "@plinth/core";
import { audit, type AuditBreak, type AuditEntry, type Verification } from "./contract.js";
import { parseDays, parseFilter, parseLimit, parseSeal } from "./reading/parse-filter.js";

const WHICH = {
  "--since <time>": "since then: 90m, 12h, 3d or a date",
  "--until <time>": "until then",
  "--actor <kind|id>": "by whom: user:k2v9..., a kind or an id",
  "--action <action>": "what: document.update, or auth.* for several",
  "--result <result>": "accepted, refused, limited or failed only",
  "--type <uid>": "about a content-type",
  "--document <id>": "about a document",
};

const filterOf = ({ app, options }: CommandContext) => {
  const { since, until, actor, action, result, type: uid, document: documentId } = options;
  return parseFilter({ since, until, actor, action, result, uid, documentId }, app.clock.now());
};

const list: Command = {
  description: "list who did what, the latest first",
  options: { ...WHICH, "--limit <n>": "at most n, up to 1000; 100 by default", "--json": "print JSON" },
  run: async (context) => {
    const { app, options, print, table } = context;
    const limit = parseLimit(options["limit"]);
    const { entries } = await app.service(audit).list(filterOf(context), limit === undefined ? {} : { limit });
    if (options["json"]) return print(JSON.stringify(entries, undefined, 2));
    if (entries.length === 0) return print("There are no such entries.");
    print(table(["ID", "AT", "ACTION", "RESULT", "ACTOR", "FROM", "SUBJECT", "WHAT"], entries.map(rowOf)));
  },
};

function rowOf(entry: AuditEntry): readonly string[] {
  const { id, at, action, result, actor, transport, address, uid, documentId, attributes, details } = entry;
  const who = actor ? [actor.kind, actor.name ?? actor.id].filter((part) => part !== undefined).join(":") : "";
  const what = [attributes?.join(","), details && JSON.stringify(details)].filter((part) => part !== undefined);
  return [
    ...[String(id), at, action, result, who, [transport, address].filter(Boolean).join(" ")],
    ...[[uid, documentId].filter(Boolean).join(" "), what.join(" ").slice(0, 100)],
  ];
}

const exportCommand: Command = {
  description: "write entries as JSON lines, oldest first",
  options: { ...WHICH, "--seals": "with the line of each seal after the entries that it covers" },
  run: async (context) => {
    const { app, options, stdout, signal } = context;
    const lines = app.service(audit).export(filterOf(context), { seals: options["seals"] === true });
    for await (const line of lines) {
      if (signal.aborted) return;
      if (!stdout.write(line)) await once(stdout, "drain", { signal });
    }
  },
};

const verify: Command = {
  description: "check that all sealed entries are as they were; exit code 1 where one is not",
  options: {
    "--seal <id:hash>": "that this seal, which was kept elsewhere, is in the chain",
    "--days <n>": "by which the log was cut, where more are configured since",
    "--json": "print JSON",
  },
  run: async ({ app, options, print, fail }) => {
    const known = options["seal"] === undefined ? undefined : parseSeal(String(options["seal"]));
    const found = await app.service(audit).verify(known, parseDays(options["days"]));
    if (options["json"]) print(JSON.stringify(found, undefined, 2));
    else for (const line of describe(found)) print(line);
    if (!found.isWhole) fail();
  },
};

/** What a check found, in sentences. */
function describe({ break: broken, seals, entries, head, cut, ...rest }: Verification): readonly string[] {
  return [
    broken
      ? `The log is broken: ${describeBreak(broken)}.`
      : `${count(entries, "entry", "entries")} in ${count(seals, "seal", "seals")}: all are as they were sealed.`,
    ...(broken && cut && broken.seal < cut.id
      ? ["Seals before that of the cut are missing by right only where they are older than `days`; see --days."]
      : []),
    ...(cut ? [`Older ones were deleted up to seal ${cut.id}:${cut.hash} of ${cut.at}.`] : []),
    ...(head && !broken ? [`The latest seal is ${head.id}:${head.hash} of ${head.at}.`] : []),
    ...describeUnsealed(rest, broken !== null),
  ];
}

function describeUnsealed(
  { unsealed, unsealedSince }: Pick<Verification, "unsealed" | "unsealedSince">,
  isBroken: boolean,
): readonly string[] {
  if (unsealed === 0) return [];
  const entries = count(unsealed, "entry is", "entries are");
  if (isBroken) return [`${entries} not checked.`];
  return [`${entries} not sealed yet, the oldest since ${unsealedSince}.`];
}

function describeBreak({ seal, entry, problem }: AuditBreak): string {
  if (entry === undefined)
    return problem === "missing" ? `seal ${seal} is missing` : `seal ${seal} is not the one that was made`;
  if (problem === "added") return `entry ${entry} was added later, among those of seal ${seal}`;
  return `entry ${entry}, of seal ${seal}, ${problem === "missing" ? "is missing" : "was changed"}`;
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** The commands of the plugin. */
export const commands: Readonly<Record<string, Command>> = {
  "audit list": list,
  "audit export": exportCommand,
  "audit verify": verify,
};
