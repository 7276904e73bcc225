import { expect } from "chai";
import { runRestore } from "#core/app/drill/restore-command.js";
import { assertEmpty, scratchConfig } from "#core/app/drill/scratch-database.js";
import { serverDatabase } from "../../../databases.js";

describe("the scratch database of a drill", () => {
  const database = serverDatabase();

  it("is not the app's own, however that is written", () => {
    const own = { client: "postgres", connection: "postgres://one@localhost:5432/blog" } as const;
    expect(() => scratchConfig(own, "postgres://other@127.0.0.1/blog", "/tmp"))
      .to.throw()
      .with.property("code", "PLINTH_DRILL_DATABASE_IN_USE");
    expect(scratchConfig(own, "postgres://one@127.0.0.1/scratch", "/tmp")).to.include({ client: "postgres" });
  });

  it("has no tables", async () => {
    if (!database) throw new Error("TEST_DATABASE_URL names no server");
    const db = await database.connect();
    await assertEmpty(database.config());
    await db.query({ text: "create table kept (n int)", values: [] });
    const failure = await assertEmpty(database.config()).catch((error: unknown) => error);
    expect(failure).to.include({ code: "PLINTH_DRILL_DATABASE_IN_USE" });
  });

  it("is not restored where the command fails", async () => {
    const task = {
      command: "exit 3",
      database: "postgres://127.0.0.1/scratch",
      time: "2026-01-01T00:00:00Z",
      position: "",
    };
    const failure = await runRestore(task).catch((error: unknown) => error);
    expect(failure)
      .to.include({ code: "PLINTH_DRILL_RESTORE_FAILED" })
      .and.property("message")
      .includes("ended with 3");
  });
});
