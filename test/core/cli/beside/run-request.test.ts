import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { createAddress, publishAddress } from "#core/cli/beside/address.js";
import { callRunning } from "#core/cli/beside/call-running.js";
import { runRequest } from "#core/cli/beside/run-request.js";
import { testHost } from "../run-in-process.js";
import type { Terminal } from "#core/cli/terminal.js";

const CALL = { command: "no such command", arguments: {}, options: {} } as const;

describe("a command for a running app", () => {
  const root = mkdtempSync(join(tmpdir(), "plinth-beside-"));
  let test: TestApp;
  before("start an app", async () => {
    test = await createTestApp({ plugins: [] });
  });
  after("stop it", async () => {
    await test.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail("done"),
      (error: unknown) => error,
    );
  const run = (request: { readonly root: string }) => {
    const { app } = test;
    const running = {
      by: "plinth develop",
      root,
      app,
      hold: <T>(work: () => Promise<T>) => work(),
      read: () => expect.fail(),
    };
    const size = { columns: 80, rows: 24 };
    const whole = { ...CALL, token: "", debug: false, isTyped: false, isShown: false, size, ...request };
    return failureOf(runRequest(whole, running, {} as Terminal));
  };

  it("is refused where that app has none of its name, or is another project", async () => {
    expect(await run({ root })).to.include({ code: "PLINTH_CLI_COMMAND_UNKNOWN" });
    expect(await run({ root: tmpdir() })).to.include({ code: "PLINTH_CLI_DATABASE_IN_USE" });
  });

  it("fails when the process of the app goes away", async () => {
    const server = createServer((socket) => socket.on("error", () => undefined).destroy());
    const address = await createAddress(root, "plinth develop");
    server.listen(address.path);
    await once(server, "listening");
    await publishAddress(root, address);
    const setup = { root, plugins: [], app: {}, config: { database: { client: "pglite", directory: root } } };
    const failure = await failureOf(callRunning(setup, CALL, testHost({ cwd: root }).host));
    expect(failure).to.include({ code: "PLINTH_CLI_PROCESS_LOST" });
    server.close();
  });
});
