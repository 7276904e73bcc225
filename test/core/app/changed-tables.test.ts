import { createTestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { type TestDatabase, serverDatabase } from "../../databases.js";

const typeWith = (...attributes: readonly string[]) => ({
  kind: "collectionType" as const,
  info: { singularName: "note", pluralName: "notes", displayName: "Note" },
  attributes: Object.fromEntries(attributes.map((name) => [name, { type: "string" }])),
});

/** What the start of an app with these attributes logs of its tables. */
async function loggedWith(database: TestDatabase, ...attributes: readonly string[]): Promise<readonly unknown[]> {
  const contentTypes = { "api::note.note": typeWith(...attributes) };
  const test = await createTestApp({ database: database.config(), environment: "production", app: { contentTypes } });
  await test.stop();
  return test.logged.flatMap(({ msg, steps }) =>
    String(msg).startsWith("The tables") ? [[String(msg).slice(0, 48), steps]] : [],
  );
}

describe("the start of another version of an app, in production", () => {
  const database = serverDatabase();
  if (!database) return;

  it("says before and after that it changes the tables, and nothing where there are none or they fit", async () => {
    expect(await loggedWith(database, "title")).to.deep.equal([]);
    expect(await loggedWith(database, "title")).to.deep.equal([]);
    expect(await loggedWith(database, "title", "text")).to.deep.equal([
      ["The tables are those of another version of the a", 1],
      ["The tables are changed", 1],
    ]);
  });
});
