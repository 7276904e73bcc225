import { EventEmitter } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { reportUncaught } from "#core/cli/uncaught-errors.js";
import { databaseVariables, serverDatabase } from "../../databases.js";
import { RunningCommand, runPlinth, scaffoldedApp } from "./plinth-command.js";

/** An endpoint whose code goes wrong where no request sees it. */
const FILES = {
  "src/api/slip/routes/slip.ts": `import type { Route } from "@plinth/core";

const routes: readonly Route[] = ["promise", "timer"].map((name) => ({
  method: "GET",
  path: \`/slip/\${name}\`,
  handler: \`slip.\${name}\`,
  config: { auth: false },
}));
export default routes;
`,
  "src/api/slip/controllers/slip.ts": `interface Answered {
  body: string;
}

async function fail(): Promise<void> {
  throw new Error("nobody awaits me");
}

export default {
  promise(ctx: Answered) {
    void fail();
    ctx.body = "done";
  },
  timer(ctx: Answered) {
    setTimeout(() => {
      throw new Error("nobody catches me");
    });
    ctx.body = "done";
  },
};
`,
};

function watchedProcess() {
  const exits: number[] = [];
  const streams = { stdout: new EventEmitter(), stderr: new EventEmitter() };
  return Object.assign(new EventEmitter(), { ...streams, exits, exit: (code: number) => void exits.push(code) });
}

describe("errors that no code catches", () => {
  it("are reported with their cause, and what Strapi's code does wrong is explained", () => {
    const reported: Error[] = [];
    const watched = watchedProcess();
    const leave = reportUncaught((error) => reported.push(error), watched);
    watched.emit("unhandledRejection", new Error("lost"), Promise.resolve());
    watched.emit("uncaughtException", new ReferenceError("strapi is not defined"));
    watched.emit("unhandledRejection", undefined);
    expect(reported.map((error) => error.message.split(": ")[0])).to.deep.equal([
      "A promise was rejected that nothing awaits",
      "An error was thrown outside of any request",
      "A promise was rejected that nothing awaits",
    ]);
    for (const error of reported) expect(error).to.have.property("code", "PLINTH_UNCAUGHT");
    expect(reported[0]?.message).to.include(": lost. ");
    expect(reported[1]?.cause).to.have.property("code", "PLINTH_STRAPI_CODE");
    leave();
    expect(watched.eventNames()).to.deep.equal([]);
  });

  it("end a process only where it cannot print any more", () => {
    const watched = watchedProcess();
    const leave = reportUncaught(() => undefined, watched);
    const closed = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    watched.emit("uncaughtException", closed);
    expect(watched.exits).to.deep.equal([]);
    watched.stdout.emit("error", closed);
    watched.stderr.emit("error", closed);
    expect(watched.exits).to.deep.equal([1, 1]);
    leave();
    expect([...watched.stdout.eventNames(), ...watched.stderr.eventNames()]).to.deep.equal([]);
  });

  for (const command of ["start", "develop"])
    it(`are logged by \`plinth ${command}\`, which goes on serving`, async () => {
      const server = new RunningCommand([command], { cwd, env });
      try {
        const [, rest] = await server.waitFor(/REST +(http:\/\/127\.0\.0\.1:\d+\/api)/);
        for (const [kind, text] of Object.entries({ promise: "nobody awaits me", timer: "nobody catches me" })) {
          expect(await (await fetch(`${rest}/slip/${kind}`)).text()).to.equal("done");
          await server.waitFor(new RegExp(text));
          expect(server.stdout + server.stderr).to.include("PLINTH_UNCAUGHT");
          server.forget();
        }
        expect((await fetch(`${rest}/articles`)).status).to.equal(200);
      } finally {
        await server.stop();
      }
    });

  const cwd = scaffoldedApp();
  const env = databaseVariables(serverDatabase());
  before("build the app", async () => {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    const built = await runPlinth(["build"], { cwd });
    expect(built.code, built.stdout + built.stderr).to.equal(0);
  });
});
