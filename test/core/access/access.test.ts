import { expect } from "chai";
import { assertCan, createAccess } from "#core/access/access.js";
import { parseAccessConfig } from "#core/access/access-config.js";
import { createAbility } from "#core/access/grant.js";

const TOKEN = "a-long-secret";
const access = createAccess(parseAccessConfig({ public: "read", tokens: { [TOKEN]: "all" } }));

async function kindOf(authorization: string | undefined): Promise<string> {
  return (await access.authenticate(authorization)).kind;
}

async function codeOf(run: () => unknown): Promise<string> {
  try {
    await run();
    return "none";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe("access", () => {
  it("knows a configured token, whatever the case of the scheme", async () => {
    expect(await kindOf(`Bearer ${TOKEN}`)).to.equal("token");
    expect(await kindOf(`BEARER ${TOKEN}`)).to.equal("token");
  });

  it("takes a header that is not exactly a scheme and a token for none", async () => {
    for (const header of [
      undefined,
      "",
      TOKEN,
      "Bearer",
      "Bearer ",
      "Bearer a b",
      `Bearer  ${TOKEN}`,
      `Basic ${TOKEN}`,
    ]) {
      expect(await kindOf(header), String(header)).to.equal("public");
    }
  });

  it("refuses a bearer that nobody knows with 401", async () => {
    const error = await access.authenticate("Bearer unknown").catch((thrown: unknown) => thrown);
    expect(error).to.include({ status: 401, wireName: "UnauthorizedError", message: "Missing or invalid credentials" });
  });

  it("asks registered strategies in order, after the configured tokens", async () => {
    const asked: string[] = [];
    const own = createAccess(parseAccessConfig({ tokens: { [TOKEN]: "read" } }));
    own.register({ name: "first", authenticate: (bearer) => void asked.push(`first ${bearer}`) as undefined });
    own.register({ name: "second", authenticate: async () => ({ kind: "second", ability: createAbility("all") }) });
    expect((await own.authenticate("Bearer x")).kind).to.equal("second");
    expect((await own.authenticate(`Bearer ${TOKEN}`)).kind).to.equal("token");
    expect(asked).to.deep.equal(["first x"]);
  });

  it("refuses a second strategy of the same name", async () => {
    const own = createAccess(parseAccessConfig({}));
    const strategy = { name: "jwt", authenticate: () => undefined };
    own.register(strategy);
    expect(await codeOf(() => own.register(strategy))).to.equal("PLINTH_ACCESS_DUPLICATE_STRATEGY");
  });

  it("gives the public nothing unless it is configured", async () => {
    const { ability } = await createAccess(parseAccessConfig(undefined)).authenticate(undefined);
    expect(ability.can("api::article.article.find")).to.equal(false);
    expect(await codeOf(() => assertCan(ability, ["api::article.article.find"]))).to.equal("PLINTH_ACCESS_FORBIDDEN");
  });

  it("asks for what the public may at each request, once somebody else has a say in it", async () => {
    const own = createAccess(parseAccessConfig({ public: "read" }));
    const answers = [createAbility("none"), createAbility("all")];
    own.setPublic(async () => answers.shift() ?? createAbility("none"));
    expect((await own.authenticate(undefined)).ability.can("api::a.a.find")).to.equal(false);
    expect((await own.authenticate(undefined)).ability.can("api::a.a.delete")).to.equal(true);
  });

  it("lets only somebody pass who may do all of what is asked", async () => {
    const ability = createAbility(["api::article.article.find"]);
    expect(await codeOf(() => assertCan(ability, ["api::article.article.find"]))).to.equal("none");
    expect(await codeOf(() => assertCan(ability, ["api::article.article.find", "api::x.x.find"]))).to.equal(
      "PLINTH_ACCESS_FORBIDDEN",
    );
  });
});
