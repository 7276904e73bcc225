import { expect } from "chai";
import { eitherDatabase } from "../databases.js";
import { changesOf, detoursOf } from "./depot/changes.js";
import { type Answered, type Sent, serveDepot } from "./depot/depot-app.js";
import { idlers, neighbours } from "./depot/depot-model.js";

const isRefused = ({ status, body }: Answered) => status >= 400 || Array.isArray(body.errors);

/** What rows out of reach are answered like: rows that are not there, with which there is nothing to do. */
const isAboutNone = ({ method, path }: Sent) => method === "DELETE" || path.includes("/actions/");

eitherDatabase(import.meta.url, (database) => {
  describe("Single types, components, files, folders, accounts and locales that one may not change", () => {
    const served = serveDepot(database);

    const expectNothingDone = async (actor: string, requests: readonly Sent[]) => {
      const { ask, state } = served();
      const before = await state();
      const done: Sent[] = [];
      for (const sent of requests) {
        const answer = await ask(actor, sent);
        expect(answer.status, JSON.stringify([sent, answer.body])).to.be.below(500);
        if (!isRefused(answer) && !isAboutNone(sent)) done.push(sent);
        expect(await state(), JSON.stringify([sent, answer])).to.deep.equal(before);
      }
      expect(done).to.deep.equal([]);
    };

    for (const actor of Object.keys(idlers))
      it(`stay as they are, whatever is sent, for who ${actor}`, () => expectNothingDone(actor, changesOf(served())));

    for (const actor of Object.keys(neighbours))
      it(`stay as they are, from wherever they are written, for who ${actor}`, () =>
        expectNothingDone(actor, detoursOf(served())));
  });
});
