import { expect } from "chai";
import { eitherDatabase } from "../databases.js";
import { type Answered, type Depot, OWNER, serveDepot } from "./depot/depot-app.js";
import { lookers } from "./depot/depot-model.js";
import { questionsAbout } from "./depot/questions.js";

async function answersTo({ ask, kept }: Depot, actor: string): Promise<ReadonlyMap<string, Answered>> {
  const answers = new Map<string, Answered>();
  for (const sent of questionsAbout(kept)) answers.set(JSON.stringify(sent), await ask(actor, sent));
  return answers;
}

/** Drafts of what is published, in both languages, of the single type, and drafts alone, with links and files. */
async function changeDrafts({ ask, kept }: Depot): Promise<void> {
  const { tale, freeTale, freeFile, home, user } = kept;
  const part = { text: "Zdraft", tale: freeTale.documentId, picture: freeFile.id };
  const parts = { part, blocks: [{ __component: "shared.part", ...part }] };
  const files = { cover: freeFile.id, gallery: [freeFile.id] };
  const links = { home: home.documentId, owner: user.documentId, readers: [user.documentId] };
  const write = async (method: string, path: string, data: object) => {
    const { status, body } = await ask(OWNER, { method, path: `/api/${path}`, body: { data } });
    expect(status, JSON.stringify(body)).to.be.below(300);
  };
  for (const locale of ["en", "fr"]) {
    const query = `status=draft&locale=${locale}`;
    await write("PUT", `tales/${tale.documentId}?${query}`, {
      ...{ title: "Zdraft", home: null, owner: null, readers: [], ...files, ...parts },
    });
    await write("PUT", `tales/${freeTale.documentId}?${query}`, { title: "Zdraft", ...links, ...files, ...parts });
    await write("POST", `tales?${query}`, { title: "Zdraft", ...links, ...files, ...parts });
  }
  await write("PUT", "home?status=draft", { title: "Zdraft", cover: freeFile.id, ...parts });
}

eitherDatabase(import.meta.url, (database) => {
  describe("Drafts of single types, components, files, users and languages", () => {
    const served = serveDepot(database);

    it("change no answer to who may not read them, over REST, its v4 format and GraphQL", async () => {
      const actors = Object.keys(lookers);
      const before = new Map<string, ReadonlyMap<string, Answered>>();
      for (const actor of actors) before.set(actor, await answersTo(served(), actor));
      await changeDrafts(served());
      for (const actor of actors) {
        const after = await answersTo(served(), actor);
        for (const [question, answer] of before.get(actor) ?? [])
          expect(after.get(question), `${actor}: ${question}`).to.deep.equal(answer);
        const invalid = [...after].filter(([, { status }]) => ![200, 403, 404].includes(status));
        expect(invalid).to.deep.equal([]);
        expect([...after].filter(([, { status }]) => status === 200).length).to.be.above(250);
      }
    });
  });
});
