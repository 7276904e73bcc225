import { EventEmitter } from "node:events";
import { expect } from "chai";
import { WorkerRole } from "#core/cli/workers/worker-role.js";

describe("a worker", () => {
  it("refuses the embedded database, which only one process can have open", async () => {
    const parent = Object.assign(new EventEmitter(), { connected: false });
    const role = new WorkerRole(1, parent);
    const failure = await role.place({ root: "/srv/app", plugins: [], app: {} }).catch((error: unknown) => error);
    expect(failure).to.include({ code: "PLINTH_CLI_WORKERS_EMBEDDED" });
  });
});
