import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { FRAME } from "#core/cli/beside/frames.js";
import { LONGEST_REQUEST } from "#core/cli/beside/request.js";
import { addressIn, RawCaller } from "./beside-socket.js";
import { RunningCommand, runPlinth, scaffoldedApp } from "./plinth-command.js";
import { LONGEST_WAIT } from "../../longest-wait.js";

const INDEX = "src/index.ts";
/** Commands of the app itself; what they write to `console` shows in the terminal of develop. */
const COMMANDS = `{
  shout: { description: "say it loudly", arguments: ["<what>"], options: { "--times <n>": "how often" },
    async run({ arguments: { what }, options, stdin, print, say, fail }) {
      const heard = what === "-" ? Buffer.concat(await stdin.toArray()).toString() : what;
      say("heard by " + process.pid);
      print(heard.toUpperCase().repeat(Number(options.times ?? 1)));
      if (what === "bad") fail();
      if (what === "worse") throw new TypeError("it broke");
    } },
  wait: { description: "wait for the end",
    run: ({ print, signal }) => new Promise((done) => {
      print("waiting");
      signal.addEventListener("abort", () => { console.log("asked to end"); done(); });
    }) },
  "wait deaf": { description: "wait for ever", run: ({ print }) => new Promise(() => print("waiting")) },
}`;
const NOTE = /^\[plinth\] `plinth develop` \(process \d+\) has the database open, and runs this command$/m;

describe("commands beside plinth develop on the embedded database", () => {
  const cwd = scaffoldedApp();
  let develop: RunningCommand;
  const start = async () => {
    develop = new RunningCommand(["develop"], { cwd });
    await develop.waitFor(/started in/);
    await until(() => existsSync(join(cwd, ".plinth/data.running.json")) && addressIn(cwd).pid !== 0);
  };
  const until = async (isSo: () => boolean) => {
    for (const end = Date.now() + LONGEST_WAIT; !isSo(); await sleep(50)) if (Date.now() > end) expect.fail("never so");
  };
  const run = async (...args: string[]) => {
    const outcome = await runPlinth(args, { cwd });
    expect(outcome.stderr).to.match(NOTE);
    return outcome;
  };
  const succeed = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code, stdout + stderr).to.equal(0);
    return stdout;
  };

  before("start develop", async () => {
    const index = readFileSync(join(cwd, INDEX), "utf8");
    writeFileSync(join(cwd, INDEX), index.replace("defineApp({", `defineApp({\n  commands: ${COMMANDS} as never,`));
    await start();
  });
  after("stop it", () => develop.stop());

  it("are run by it, with one line about that", async () => {
    const { code, stdout, stderr } = await run("permissions", "--json");
    expect([code, stderr.trim().split("\n").length], stderr).to.deep.equal([0, 1]);
    expect(JSON.parse(stdout)).to.be.an("array").that.is.not.empty;
  });

  it("see and change what it serves", async () => {
    const [key] = (await succeed("token", "create", "--name", "beside", "--type", "full-access")).split("\n");
    const [, rest] = await develop.waitFor(/REST +(\S+)/);
    const article = { data: { title: "Written with a token of the command" } };
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const written = await fetch(`${rest}/articles`, { method: "POST", headers, body: JSON.stringify(article) });
    expect(written.status).to.equal(201);
    expect(await succeed("token", "list")).to.include("beside");
    expect(await succeed("token", "revoke", "beside")).to.include('Revoked "beside"');
    expect(await succeed("admin", "create", "--email", "ada@example.com")).to.include("ada@example.com");
  });

  it("are those of core, of plugins and of the app", async () => {
    expect(await succeed("schema", "plan")).to.include("nothing to do");
    expect(JSON.parse(await succeed("openapi"))).to.have.property("openapi");
    expect(JSON.parse(await succeed("doctor", "--json"))).to.have.property("findings");
    expect(await succeed("upload", "check")).to.include("agree");
    expect(await succeed("processes")).to.include("No process");
    expect(await succeed("shout", "ho", "--times", "3")).to.equal("HOHOHO\n");
  });

  it("have the input, the exit code and the failures of the caller", async () => {
    const piped = await runPlinth(["shout", "-"], { cwd, input: Buffer.alloc(300_000, "a") });
    expect(piped.code, piped.stderr).to.equal(0);
    expect(piped.stdout).to.equal(`${"A".repeat(300_000)}\n`);
    const bad = await run("shout", "bad");
    expect([bad.code, bad.stdout]).to.deep.equal([1, "BAD\n"]);
    const worse = await run("shout", "worse");
    expect([worse.code, worse.stdout]).to.deep.equal([1, "WORSE\n"]);
    expect(worse.stderr)
      .to.match(/heard by \d+/)
      .and.include("it broke")
      .and.match(/Where: src\/index\.ts:\d+/);
  });

  it("pass signals on, and notice a caller that is gone", async () => {
    const calls = [
      ["SIGINT", 130],
      ["SIGTERM", 143],
      ["SIGKILL", null],
    ] as const;
    for (const [signal, code] of calls) {
      develop.forget();
      const waiting = new RunningCommand(["wait"], { cwd });
      await waiting.waitFor(/^waiting$/m);
      expect(await waiting.stop(signal)).to.equal(code);
      await develop.waitFor(/asked to end/);
    }
    const deaf = new RunningCommand(["wait", "deaf"], { cwd });
    await deaf.waitFor(/^waiting$/m);
    expect(await deaf.stop("SIGINT")).to.equal(130);
  });

  it("end alone when their caller leaves before it has read all", async () => {
    const caller = await RawCaller.to(cwd);
    caller.pause();
    caller.ask(cwd, { command: "shout", arguments: { what: "x" }, options: { times: "150000" } });
    await until(() => caller.unread > 0);
    // The rest is in the socket, and the command has ended.
    await sleep(300);
    caller.leave();
    await caller.closed;
    expect((await run("shout", "still there")).stdout).to.equal("STILL THERE\n");
  });

  it("export and import", async () => {
    expect((await run("export", "all.tar.gz")).stderr).to.match(/exported \d+ versions/);
    const piped = await run("export", "-");
    expect([piped.code, piped.stdout.length > 1_000]).to.deep.equal([0, true]);
    const imported = JSON.parse(await succeed("import", "all.tar.gz", "--json")) as {
      types: { uid: string; versions: number; present: number }[];
    };
    const articles = imported.types.find(({ uid }) => uid === "api::article.article");
    expect(articles?.versions).to.be.greaterThan(1).and.equal(articles?.present);
  });

  it("that need the database for themselves say what to do", async () => {
    const { code, stderr } = await run("schema", "apply");
    expect(code).to.equal(1);
    expect(stderr).to.include("PLINTH_CLI_DATABASE_IN_USE").and.include("stop that");
  });

  it("give a prompt, whose app is the version that serves", async () => {
    const lines = ['(await app.documents("api::article.article").count()) + 100', "process.pid", ".exit", ""];
    const prompt = await runPlinth(["console"], { cwd, input: lines.join("\n") });
    expect(prompt.code, prompt.stderr).to.equal(0);
    expect(prompt.stdout)
      .to.match(/\b10\d\b/)
      .and.include(String(addressIn(cwd).pid));

    const open = new RunningCommand(["console"], { cwd });
    open.typeLine(".exit");
    expect(await open.ended, open.stderr).to.equal(0);

    const typed = await RawCaller.to(cwd);
    typed.ask(cwd, { command: "console" });
    await until(() => typed.stdout.includes("plinth> ") && typed.rawModes.includes("1"));
    const before = typed.stdout.length;
    writeFileSync(join(cwd, "config/greeting.ts"), 'export default { word: "hel" + "lo" };');
    await develop.waitFor(/restarted in/);
    typed.send(FRAME.input, 'app.config.get("greeting.word")\r');
    await until(() => typed.stdout.slice(before).includes("hello"));
    typed.send(FRAME.input, 'Promise.reject(new Error("nobody waits"))\r');
    await until(() => typed.stdout.includes("nobody waits"));
    typed.send(FRAME.size, "40x10");
    typed.send(FRAME.input, ".exit\r");
    await typed.closed;
    expect([typed.exitCode, typed.rawModes.at(-1)]).to.deep.equal([0, "0"]);
    expect((await run("shout", "still there")).code).to.equal(0);
  });

  it("are taken from nobody but the owner of the process", async () => {
    expect(statSync(addressIn(cwd).path).mode & 0o777).to.equal(0o600);
    expect(statSync(join(cwd, ".plinth/data.running.json")).mode & 0o777).to.equal(0o600);
    const refused: readonly ((caller: RawCaller) => void)[] = [
      (caller) => caller.ask(cwd, { token: "guessed" }),
      (caller) => caller.ask(cwd, { arguments: null as never }),
      (caller) => caller.sendText("GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
      (caller) => caller.sendText(`{"x":"${"x".repeat(LONGEST_REQUEST)}`),
      (caller) => caller.leave(),
    ];
    for (const speak of refused) {
      const caller = await RawCaller.to(cwd);
      speak(caller);
      await caller.closed;
      expect([caller.stdout, caller.exitCode]).to.deep.equal(["", undefined]);
    }
    const confused = await RawCaller.to(cwd);
    confused.ask(cwd, { command: "wait" });
    confused.sendText("\u0006\u00ff\u00ff\u00ff\u00ff");
    await confused.closed;
    expect((await run("shout", "still there")).code).to.equal(0);
  });

  it("leave a copy of the project alone", async () => {
    const copy = `${cwd}-copy`;
    cpSync(cwd, copy, {
      recursive: true,
      filter: (path) => !path.endsWith(".sock") && !path.endsWith("postmaster.pid"),
    });
    after(() => rmSync(copy, { recursive: true, force: true }));
    expect(addressIn(copy)).to.deep.equal(addressIn(cwd));
    const { stderr } = await runPlinth(["shout", "a copy"], { cwd: copy });
    expect(stderr).not.to.match(NOTE);
    expect(await succeed("shout", "still there")).to.equal("STILL THERE\n");
  });

  it("end with it, and work without it when it was killed", async () => {
    const waiting = new RunningCommand(["wait", "deaf"], { cwd });
    await waiting.waitFor(/^waiting$/m);
    process.kill(addressIn(cwd).pid, "SIGKILL");
    expect(await waiting.ended).to.equal(1);
    expect(waiting.stderr).to.include("PLINTH_CLI_PROCESS_LOST");
    expect(existsSync(addressIn(cwd).path), "what it left").to.equal(true);
    await develop.stop();
    const alone = await runPlinth(["shout", "alone"], { cwd });
    expect([alone.code, alone.stdout, NOTE.test(alone.stderr)], alone.stderr).to.deep.equal([0, "ALONE\n", false]);
    const left = addressIn(cwd).token;
    await start();
    await until(() => addressIn(cwd).token !== left);
    expect(await succeed("shout", "again")).to.equal("AGAIN\n");
    const path = addressIn(cwd).path;
    await develop.stop();
    expect([existsSync(path), existsSync(join(cwd, ".plinth/data.running.json"))]).to.deep.equal([false, false]);
  });
});
