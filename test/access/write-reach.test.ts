import { expect } from "chai";
import { eitherDatabase } from "../databases.js";
import { fingerprint } from "../plugins/content-api/hostile-requests.js";
import { type Answered, type Sent, serveBastion } from "./bastion/bastion-app.js";
import { intruders } from "./bastion/bastion-model.js";
import { intrusionsOf, SIDES } from "./bastion/intrusions.js";

const isRefused = ({ status, body }: Answered) => status >= 400 || Array.isArray(body.errors);

eitherDatabase(import.meta.url, (database) => {
  describe("Rows that one may not change", () => {
    const served = serveBastion(database);

    for (const token of Object.keys(intruders)) {
      for (const side of SIDES) {
        it(`stay as they are when ${side.plural}.${side.attribute} is written by who ${token.replaceAll("-", " ")}`, async () => {
          const before = await fingerprint(served().plinth);
          const done: Sent[] = [];
          for (const sent of intrusionsOf(served(), side)) {
            const answer = await served().ask(token, sent);
            if (!isRefused(answer)) done.push(sent);
            expect(answer.status, JSON.stringify([sent, answer.body])).to.be.below(500);
          }
          expect(await fingerprint(served().plinth)).to.deep.equal(before);
          expect(done).to.deep.equal([]);
        });
      }
    }
  });
});
