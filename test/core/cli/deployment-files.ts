import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadProject } from "@plinth/core";
import { createProgram } from "#core/cli/program.js";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const TEMPLATE = join(ROOT, "app-template");
const COMMAND = "node_modules/@plinth/core/bin/plinth.mjs";

/** A file that every new app gets, such as `deploy/nginx.conf`. */
export const scaffolded = (path: string): string => readFileSync(join(ROOT, "core", "scaffold", "every", path), "utf8");

/** Variables by name. */
export type Variables = Readonly<Record<string, string>>;

/** What is wrong with a command line that starts the app: `["node", "node_modules/@plinth/core/bin/plinth.mjs", "start"]`. */
export function commandProblems([program = "", file = "", ...args]: readonly string[]): readonly string[] {
  const isNode = program === "node" || program.endsWith("/bin/node");
  const problems = isNode && file === COMMAND ? [] : [`${program} ${file} is not the command of Plinth`];
  let command = createProgram();
  let isValue = false;
  for (const arg of args) {
    const option = command.options.find(({ short, long }) => arg === short || arg === long);
    if (isValue || option) {
      isValue = !isValue && option?.required === true;
      continue;
    }
    const next = command.commands.find((each) => each.name() === arg);
    if (next) command = next;
    else problems.push(`plinth ${command.name()} has no ${arg}`);
  }
  if (command.name() === "plinth") problems.push("no command is named");
  return problems;
}

/** The names of the variables that nothing reads: neither the configuration of a new app, nor Plinth, nor the S3 provider. */
export async function unreadVariables(variables: Variables): Promise<readonly string[]> {
  const read = new Set(["NODE_ENV", "PWD"]);
  const watched = new Proxy(variables, {
    get: (target, name: string) => {
      read.add(name);
      return target[name];
    },
  });
  await loadProject({ root: TEMPLATE, code: TEMPLATE }, { variables: watched, environment: "production" });
  const s3 = variables["S3_BUCKET"] ? ["README.md", "CONFIG.md"].map(readS3).join() : "";
  return Object.keys(variables).filter((name) => !read.has(name) && !s3.includes(`\`${name}\``));
}

const readS3 = (file: string): string => readFileSync(join(ROOT, "plugins", "upload-s3", file), "utf8");

/** Fills in `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. @throws an Error for a variable without a value */
export function interpolate(text: string, variables: Variables): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string | undefined, rest: string) => {
    const value = variables[name] || (kind === "-" ? rest : undefined);
    if (value === undefined) throw new Error(`${name} has no value`);
    return value;
  });
}

/** A directive of a systemd unit. */
export interface Directive {
  readonly section: string;
  readonly name: string;
  readonly value: string;
}

/** Reads a unit file. @throws an Error for a line that is none of a unit */
export function readUnit(text: string): readonly Directive[] {
  let section = "";
  return text.split("\n").flatMap((line): Directive[] => {
    const [, head] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (head) section = head;
    if (head || /^(#.*)?$/.test(line)) return [];
    const [, name, value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (!name) throw new Error(`"${line}" is no line of a unit`);
    return [{ section, name, value }];
  });
}

/**
 * Has `systemd-analyze verify` read units, templates as those of port 1337; says so where that program is not there.
 *
 * @param files - such as `plinth@.service`, in the folder.
 * @returns what is wrong with them
 */
export function verifyUnits(folder: string, files: readonly string[]): string | undefined {
  const home = mkdtempSync(join(tmpdir(), "plinth-units-"));
  const units = files.map((file) => {
    const unit = join(home, file.replace("@.", "@1337."));
    const text = readFileSync(join(folder, file), "utf8");
    // Not every machine has its node there.
    writeFileSync(unit, text.replace("/usr/bin/node", process.execPath));
    return unit;
  });
  const { error, status, stderr } = spawnSync("systemd-analyze", ["verify", ...units], { encoding: "utf8" });
  rmSync(home, { recursive: true, force: true });
  if (error)
    console.log(`[fleet] there is no systemd-analyze (${error.message}): ${files.join(", ")} were not verified`);
  const own = stderr?.split("\n").filter((line) => files.some((file) => line.includes(file.replace("@.", "@1337."))));
  return error || (status === 0 && own.length === 0) ? undefined : stderr;
}
