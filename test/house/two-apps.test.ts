import type { AppSetup, PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { writeHooks } from "#core/documents/hooks.js";
import { copyTemplate, loadForTest, startForTest } from "../projects.js";

/** The sample app with a token of its own, which notes the names of new categories. */
async function loadNoting(root: string, token: string, noted: unknown[]): Promise<AppSetup> {
  const setup = await loadForTest(root, { variables: { PLINTH_TOKEN: token } });
  const register: NonNullable<AppSetup["app"]>["register"] = ({ on }) =>
    on(writeHooks.create.after, ({ uid, data }) => {
      if (uid === "api::category.category") noted.push(data?.["name"]);
    });
  return { ...setup, app: { ...setup.app, register } };
}

describe("two apps in one process", () => {
  const notedByFirst: unknown[] = [];
  const notedBySecond: unknown[] = [];
  let first: { readonly plinth: PlinthApp; readonly url: string };
  let second: { readonly plinth: PlinthApp; readonly url: string };

  before("start the sample app twice", async () => {
    const root = copyTemplate();
    first = await startForTest(await loadNoting(root, "token-of-the-first", notedByFirst));
    second = await startForTest(await loadNoting(root, "token-of-the-second", notedBySecond));
  });

  after("stop both", () => Promise.all([first?.plinth.stop(), second?.plinth.stop()]));

  const createCategory = async ({ url }: { readonly url: string }, token: string, name: string) => {
    const response = await fetch(`${url}/api/categories`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ data: { name } }),
    });
    return response.status;
  };

  const categoriesOf = async ({ url }: { readonly url: string }) => {
    const { data } = (await (await fetch(`${url}/api/categories?sort=name`)).json()) as { data: { name: string }[] };
    return data.map(({ name }) => name);
  };

  it("have content, hooks and listeners of their own", async () => {
    notedByFirst.length = 0;
    notedBySecond.length = 0;
    expect(await createCategory(first, "token-of-the-first", "Poetry")).to.equal(201);
    expect(await createCategory(second, "token-of-the-second", "Cooking")).to.equal(201);
    expect(await categoriesOf(first)).to.deep.equal(["Poetry", "Science", "Software"]);
    expect(await categoriesOf(second)).to.deep.equal(["Cooking", "Science", "Software"]);
    expect(notedByFirst).to.deep.equal(["Poetry"]);
    expect(notedBySecond).to.deep.equal(["Cooking"]);
  });

  it("do not accept each other's tokens", async () => {
    expect(await createCategory(first, "token-of-the-second", "Fraud")).to.equal(401);
    expect(await createCategory(second, "token-of-the-first", "Fraud")).to.equal(401);
  });

  it("share no service, registry or configuration", () => {
    const [one, other] = [first.plinth.app, second.plinth.app];
    expect(one.registry("route")).not.to.equal(other.registry("route"));
    expect(one.config.get("access.tokens")).to.have.all.keys("token-of-the-first");
    expect(other.config.get("access.tokens")).to.have.all.keys("token-of-the-second");
    expect(one.model).not.to.equal(other.model);
  });

  it("stop one without the other", async () => {
    await first.plinth.stop();
    expect(await categoriesOf(second)).to.include("Cooking");
    expect(await createCategory(second, "token-of-the-second", "Gardening")).to.equal(201);
  });
});
