import { expect } from "chai";
import { causesOf } from "../../causes-of.js";
import { citusDatabase } from "../../databases.js";
import { startAuditApp } from "./audit-app.js";

describe("the audit log on Citus", () => {
  const database = citusDatabase();
  if (!database) return;

  it("is refused before tables are made, because nothing would keep it append only", async () => {
    const refused = await startAuditApp(database).catch((error: unknown) => error);
    expect(causesOf(refused)).to.include("PLINTH_AUDIT_CITUS");
    const db = await database.connect();
    const text = "select to_regclass('plinth_audit')::text as name";
    expect(await db.query({ text, values: [] })).to.deep.equal([{ name: null }]);
  });
});
