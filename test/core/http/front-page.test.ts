import { expect } from "chai";
import { copyTemplate, loadForTest, startForTest } from "../../projects.js";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

describe("the page at / of an app without an admin page", () => {
  const open = async (environment: string) => {
    const setup = await loadForTest(copyTemplate(), { environment, variables: SECRETS });
    // The admin page leads browsers to itself from there: test/plugins/admin/page.test.ts.
    const plugins = setup.plugins.filter(({ name }) => name !== "admin");
    const { plinth, url } = await startForTest({ ...setup, plugins });
    return { plinth, ask: (accept: string) => fetch(`${url}/`, { headers: { accept } }) };
  };
  const SECRETS = Object.fromEntries(
    ["API_TOKEN_SALT", "ADMIN_JWT_SECRET", "JWT_SECRET"].map((name) => [name, name.repeat(5)]),
  );

  it("tells browsers where the APIs are, and other clients that nothing is there", async () => {
    const { plinth, ask } = await open("development");
    try {
      const page = await ask(BROWSER);
      expect([page.status, page.headers.get("content-type")]).to.deep.equal([200, "text/html; charset=utf-8"]);
      expect(page.headers.get("content-security-policy")).to.be.a("string");
      const html = await page.text();
      for (const path of ["/graphql", "/api/openapi", "/api/articles"]) expect(html).to.include(`href="${path}"`);
      for (const accept of ["*/*", "application/json", "application/json, text/plain, */*"]) {
        const answer = await ask(accept);
        expect(answer.status, accept).to.equal(404);
        expect(await answer.json()).to.have.nested.property("error.name", "NotFoundError");
      }
    } finally {
      await plinth.stop();
    }
  });

  it("is not there in production", async () => {
    const { plinth, ask } = await open("production");
    try {
      expect((await ask(BROWSER)).status).to.equal(404);
    } finally {
      await plinth.stop();
    }
  });
});
