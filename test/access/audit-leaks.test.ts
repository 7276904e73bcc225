import { expect } from "chai";
import { audit, auditPlugin } from "@plinth/plugin-audit";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { eitherDatabase } from "../databases.js";
import { ADMIN, HIDDEN, READER, serveVault } from "./vault/vault-app.js";
import { changeDraftsAndFrench, changeWhatIsHidden } from "./vault/worlds.js";

/** What is in documents, hidden or not; and the hashes of passwords. */
const NEEDLES = new RegExp(`${HIDDEN.diary}|${HIDDEN.email}|${HIDDEN.name}|Needle|\\$2[aby]\\$`, "i");

eitherDatabase(import.meta.url, (database) => {
  describe("The audit log", () => {
    const vault = serveVault(database, { plugins: [contentApiPlugin, graphqlPlugin, auditPlugin] });

    it("has nothing of what is in documents, whatever is done to them", async () => {
      await changeWhatIsHidden(vault());
      await changeDraftsAndFrench(vault());
      const { ask, kept, manage, plinth } = vault();
      const made = await manage("POST", "/api/notes", { title: "Needle of a title", rank: 1 });
      await manage("PUT", `/api/notes/${made.documentId}`, { title: "Needle once more" });
      await ask("DELETE", `/api/notes/${made.documentId}`, undefined, ADMIN);
      for (const token of [READER, "Needle-token"]) {
        await ask("GET", `/api/notes/${kept.hiddenNote.documentId}?filters[title]=Needle`, undefined, token);
        await ask("PUT", `/api/notes/${kept.hiddenNote.documentId}`, { title: "Needle" }, token);
      }
      const service = plinth.app.service(audit);
      await service.seal();
      let text = "";
      for await (const line of service.export()) text += line;
      const lines = text.trimEnd().split("\n");
      expect(lines.length).to.be.greaterThan(10);
      expect(lines.some((line) => line.includes(made.documentId))).to.equal(true);
      expect(lines.some((line) => line.includes("access.refuse"))).to.equal(true);
      for (const line of lines) expect(line).to.not.match(NEEDLES);
    });

    it("is nowhere in what clients are answered", async () => {
      const { ask } = vault();
      for (const path of ["/api/audit", "/api/audits", "/admin/api/audit"])
        expect((await ask("GET", path, undefined, ADMIN)).status, path).to.equal(404);
    });
  });
});
