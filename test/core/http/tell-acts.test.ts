import { createPlinth, ForbiddenError, type PlinthApp } from "@plinth/core";
import { type Act, onAct } from "@plinth/core/access";
import { tellRefusal } from "@plinth/core/http";
import { expect } from "chai";
import { pino } from "pino";

const BODY = { status: 403, name: "ForbiddenError", message: "Forbidden" };

describe("refusals of one request", () => {
  const told: Act[] = [];
  let plinth: PlinthApp;
  before("start an app that listens", async () => {
    plinth = createPlinth({
      ...{ root: import.meta.dirname, plugins: [], log: pino({ level: "silent" }) },
      app: { register: ({ on }) => on(onAct, (act) => void told.push(act)) },
      config: { database: { client: "pglite", directory: ":memory:" } },
    });
    await plinth.start({ listen: false });
  });
  beforeEach(() => {
    told.length = 0;
  });
  after("stop it", () => plinth.stop());

  const requestTo = (path: string) => ({ method: "POST", path, url: path, headers: {}, state: {} });
  const refuse = (request: ReturnType<typeof requestTo>, asked: string, error: unknown = new ForbiddenError({})) =>
    tellRefusal(plinth.app, request, { error, body: BODY, asked });

  it("are told one by one, with what each needed, and the same error once", () => {
    const request = requestTo("/graphql");
    const error = new ForbiddenError({});
    refuse(request, "api::note.note.create", error);
    refuse(request, "api::note.note.create", error);
    refuse(request, "Mutation.login");
    expect(told.map(({ details }) => details?.["asked"])).to.deep.equal(["api::note.note.create", "Mutation.login"]);
  });

  it("are told up to a bound, and those of the next request again", () => {
    const request = requestTo("/graphql");
    for (let n = 0; n < 50; n += 1) refuse(request, `Mutation.m${n}`);
    expect(told).to.have.length(20);
    refuse(requestTo("/graphql"), "Mutation.next");
    expect(told).to.have.length(21);
  });
});
