import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseEnv } from "node:util";
import pg from "pg";
import { readUnit, verifyUnits } from "../core/cli/deployment-files.js";
import { linkPackages, RunningCommand, runPlinth } from "../core/cli/plinth-command.js";
import { openShell, type Shell } from "../docs/shell.js";
import { checkNginx, type Nginx, startNginx } from "./nginx.js";

/** Programs that a machine of a test has stand-ins for: they would change the real one, or ask the internet. */
const STAND_INS = ["apt-get", "su", "adduser", "chown", "npm", "systemctl", "nginx"] as const;

/** A stand-in says what it was called with, and ends as the test says. */
const STAND_IN = `
import { readFileSync } from "node:fs";
const [address, ...args] = process.argv.slice(2);
const stdin = args[0] === "su" ? readFileSync(0, "utf8") : "";
const answer = await fetch(address, { method: "POST", body: JSON.stringify({ args, stdin, cwd: process.cwd() }) });
process.stderr.write(await answer.text());
process.exit(answer.ok ? 0 : 1);
`;

interface Call {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly cwd: string;
}

/** What a machine has from the start. */
export interface MachineOptions {
  /** URL of a superuser's on a PostgreSQL server. */
  readonly database: string;
  /** What stands in the guide, and what a test has in its place: addresses and names. Folders are replaced anyway. */
  readonly replaced: ReadonlyMap<string, string>;
}

/**
 * An empty machine: a folder with `/srv`, `/etc` and `/var` of its own, and a terminal. Packages, users and units are
 * stand-ins; the processes that units start, nginx and PostgreSQL are real.
 */
export class Machine {
  readonly root = mkdtempSync(join(tmpdir(), "plinth-machine-"));
  readonly #processes = new Map<string, RunningCommand>();
  readonly #server: Server;
  #nginx: Nginx | undefined;
  #shell: Shell | undefined;
  #cwd = this.root;

  constructor(private readonly options: MachineOptions) {
    for (const folder of ["srv", "etc/nginx", "etc/systemd/system", "var/backups", "bin"])
      mkdirSync(join(this.root, folder), { recursive: true });
    this.#server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      request.on("end", () => {
        this.#answer(JSON.parse(body) as Call).then(
          () => response.end(),
          (error: Error) => response.writeHead(500).end(`${error.message}\n`),
        );
      });
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((listening) => this.#server.listen(0, "127.0.0.1", listening));
    const address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    const script = join(this.root, "stand-in.mjs");
    writeFileSync(script, STAND_IN);
    for (const name of STAND_INS) {
      const file = join(this.root, "bin", name);
      // Packing asks no registry.
      const real = name === "npm" ? `[ "$1" != pack ] || PATH="${process.env["PATH"]}" exec npm "$@"\n` : "";
      writeFileSync(file, `#!/bin/sh\n${real}exec "${process.execPath}" "${script}" ${address} ${name} "$@"\n`);
      chmodSync(file, 0o755);
    }
    const PATH = [join(this.root, "bin"), process.env["PATH"]].join(delimiter);
    // Else `plinth new` would run the npm that runs these tests.
    this.#shell = openShell({ cwd: () => this.#cwd, path: PATH, variables: { npm_execpath: "" }, hasProcesses: true });
  }

  /** Types lines in a terminal. @returns what they print */
  async paste(lines: string): Promise<string> {
    const output = await this.#shell?.paste(`${this.here(lines)}\npwd > ${join(this.root, "pwd")}`);
    this.#cwd = readFileSync(join(this.root, "pwd"), "utf8").trim();
    return output ?? "";
  }

  /** Saves a file by its path on the machine. */
  save(path: string, text: string): void {
    const file = this.here(path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, this.here(text));
  }

  /** A text of the guide as it is on this machine. */
  here(text: string): string {
    let found = text.replace(/(?<![\w./-])\/(srv|etc|var)\//g, `${this.root}/$1/`);
    for (const [from, to] of this.options.replaced) found = found.replaceAll(from, to);
    return found;
  }

  /** Waits until what a unit prints has such a text. */
  async waitFor(unit: string, pattern: RegExp): Promise<void> {
    const found = this.#processes.get(this.here(unit));
    if (!found) throw new Error(`Unit ${unit} not found`);
    await found.waitFor(pattern);
  }

  /** A file by its path on the machine. */
  read(path: string): string {
    return readFileSync(this.here(path), "utf8");
  }

  /** Ends all that it has started. */
  async close(): Promise<void> {
    await this.#nginx?.close();
    await Promise.all([...this.#processes.values()].map((each) => each.stop()));
    this.#shell?.close();
    this.#server.close();
    rmSync(this.root, { recursive: true, force: true });
  }

  async #answer({ args: [program = "", ...args], stdin, cwd }: Call): Promise<void> {
    if (program === "apt-get") return assertInstalled(args);
    if (program === "su") return this.#query(stdin);
    if (program === "npm") return npm(args, cwd);
    if (program === "systemctl") return this.#systemctl(args);
    if (program === "nginx") return this.#nginxCommand(args);
  }

  /** Statements, one after the other: databases are made outside of transactions. */
  async #query(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.options.database });
    await client.connect();
    try {
      for (const statement of sql.split(/;\s*$/m).filter((each) => each.trim() !== "")) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  #nginxCommand(args: readonly string[]): void {
    if (args.join(" ") !== "-t") throw new Error(`nginx ${args.join(" ")} is not done here`);
    if (!/server 127\.0\.0\.1:\d+ max_fails=0;/.test(this.#nginxConf())) throw new Error("nginx.conf names no process");
    checkNginx(this.#nginxConf());
  }

  async #systemctl([verb = "", ...units]: readonly string[]): Promise<void> {
    if (verb === "daemon-reload") this.#verifyUnits();
    for (const unit of units.filter((each) => !each.startsWith("-"))) {
      if (unit === "nginx") await this.#restartNginx();
      // As ExecReload of the unit says.
      else if (verb === "reload") this.#processes.get(unit)?.signal("SIGHUP");
      else await this.#startUnit(unit, verb === "restart");
    }
  }

  #verifyUnits(): void {
    const folder = join(this.root, "etc/systemd/system");
    const said = verifyUnits(folder, readdirSync(folder));
    if (said !== undefined) throw new Error(said);
  }

  /** As the guide has made it, on the port of the test. */
  #nginxConf(): string {
    const conf = readFileSync(join(this.root, "etc/nginx/nginx.conf"), "utf8");
    return conf.replace("listen 80;", `listen 127.0.0.1:${this.#nginxPort()};`);
  }

  #nginxPort(): number {
    return Number(/:(\d+)/.exec(this.here("127.0.0.1:80/"))?.[1]);
  }

  async #restartNginx(): Promise<void> {
    await this.#nginx?.close();
    this.#nginx = await startNginx(this.#nginxConf(), this.#nginxPort());
  }

  /** Starts what `plinth@<port>` says, as systemd would: its variables, its folder, its command. */
  async #startUnit(unit: string, isRestart: boolean): Promise<void> {
    const [, name = "", port = ""] = /^(\w+@)(\d+)$/.exec(unit) ?? [];
    const file = join(this.root, "etc/systemd/system", `${name}.service`);
    if (!existsSync(file)) throw new Error(`Unit ${unit} not found`);
    if (isRestart) await this.#processes.get(unit)?.stop();
    const directives = readUnit(readFileSync(file, "utf8"));
    const directive = (wanted: string) =>
      this.here(directives.find((each) => each.name === wanted)?.value ?? "").replaceAll("%i", port);
    const own = directive("Environment").split(" ").join("\n");
    const env = { ...parseEnv(readFileSync(directive("EnvironmentFile"), "utf8")), ...parseEnv(own) } as Record<
      string,
      string
    >;
    mkdirSync(join(this.root, "var/lib", directive("StateDirectory")), { recursive: true });
    const args = directive("ExecStart").split(" ").slice(2);
    this.#processes.set(unit, new RunningCommand(args, { cwd: directive("WorkingDirectory"), env }));
  }
}

function assertInstalled([verb, ...names]: readonly string[]): void {
  if (verb !== "install") return;
  const programs: Readonly<Record<string, string>> = { nginx: "nginx", curl: "curl", postgresql: "" };
  for (const name of names.filter((each) => !each.startsWith("-")))
    if (programs[name] === undefined) throw new Error(`Unable to locate package ${name}`);
}

async function npm([verb = "", script = ""]: readonly string[], cwd: string): Promise<void> {
  if ((verb === "install" || verb === "ci") && !existsSync(join(cwd, "node_modules"))) linkPackages(cwd);
  if (verb !== "run") return;
  const { scripts } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const [command, ...args] = (scripts[script] ?? "").split(" ");
  if (command !== "plinth") throw new Error(`npm run ${script} does not run plinth`);
  const { code, stderr } = await runPlinth(args, { cwd });
  if (code !== 0) throw new Error(stderr);
}
