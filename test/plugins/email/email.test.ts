import type { Grant } from "@plinth/core/access";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { emailPlugin } from "@plinth/plugin-email";
import { jobs, jobsPlugin } from "@plinth/plugin-jobs";
import { openApiPlugin } from "@plinth/plugin-openapi";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { createTestApp, type TestApp, type TestAppOptions } from "@plinth/test-kit";
import { expect } from "chai";
import { parseConfig } from "#plugins/email/src/config.js";
import { eitherDatabase, serverDatabase } from "../../databases.js";

const EMAIL = "/api/email";
const SEND = "plugin::email.email.send";
const mail = { to: "office@example.com", subject: "A question", text: "How much is it?\n\nAda" };

/** Another app starts before the suite, and stops after it. */
function serve(options: () => TestAppOptions): () => TestApp {
  let test: TestApp | undefined;
  before("start the app", async () => {
    test = await createTestApp(options());
  });
  after("stop the app", () => test?.stop());
  afterEach("forget the mails", () => test?.mails.clear());
  return () => {
    if (!test) throw new TypeError("The app has not started.");
    return test;
  };
}

const plugins = [contentApiPlugin, usersPermissionsPlugin, emailPlugin];

describe("mails over REST", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serve(() => ({ plugins: [...plugins, openApiPlugin], database: database.config() }));
    const send = (body: unknown, grant: Grant = [SEND]) => app().as(grant).post(EMAIL, body);

    /** What is refused by a body with something else in it; nothing is sent. */
    const refusedOf = async (changes: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
      const { status, body } = await send({ ...mail, ...changes });
      expect([status, body.error.name, body.error.code], JSON.stringify(changes).slice(0, 200)).to.deep.equal([
        400,
        "ValidationError",
        "PLINTH_EMAIL_INVALID",
      ]);
      expect(app().mails.all).to.have.length(0);
      return body.error.details.errors.map(
        ({ path, message }: { path: string; message: string }) => `${path} ${message}`,
      );
    };

    it("are granted to no role by default", async () => {
      for (const client of [app().public, await app().signIn({ role: "authenticated" }), app().as("read")]) {
        const { status, body } = await client.post(EMAIL, mail);
        expect([status, body.error.name]).to.deep.equal([403, "ForbiddenError"]);
      }
      expect(app().mails.all).to.have.length(0);
    });

    it("go out for a caller who may send them, from the address of the configuration", async () => {
      const { status, body } = await send(mail, "all");
      expect([status, body]).to.deep.equal([200, {}]);
      const sent = await app().mails.next();
      const { from } = app().app.plugin("users-permissions").config.mail;
      expect(from).to.include(sent.from);
      expect(sent).to.deep.include({ to: [mail.to], replyTo: undefined, subject: mail.subject, html: undefined });
      expect(sent.text).to.equal(mail.text);
    });

    it("may have HTML, and an address that answers go to", async () => {
      await send({ ...mail, html: "<p>How much?</p>", replyTo: "ada@example.org" });
      const sent = await app().mails.next();
      expect(sent).to.include({ replyTo: "ada@example.org" });
      expect(sent.html).to.include("<p>How much?</p>");
    });

    it("go to each recipient apart, once, and to ten at most", async () => {
      await send({ ...mail, to: "a@example.com, b@example.com,A@Example.com" });
      expect(app().mails.all.map(({ to }) => to)).to.have.deep.members([["A@example.com"], ["b@example.com"]]);
      app().mails.clear();
      const eleven = Array.from({ length: 11 }, (_, index) => `r${index}@example.com`).join();
      expect(await refusedOf({ to: eleven })).to.deep.equal(["to names 11 recipients, and may name 10"]);
    });

    it("are refused with every problem of the body, and in words that say why", async () => {
      const { body } = await send({ subject: 7 });
      const paths = body.error.details.errors.map(({ path }: { path: string }) => path);
      expect(paths).to.have.members(["to", "subject", "text"]);
      for (const body of [[], "text", 7]) expect((await send(body)).status).to.equal(400);
      expect(await refusedOf({ text: "" })).to.match(/text must be a string of 1 to 60000 bytes/);
      expect(await refusedOf({ html: "é".repeat(30_001) })).to.match(/html must be/);
      expect(await refusedOf({ subject: "x".repeat(256) })).to.match(/subject must be one line of 1 to 255 characters/);
      expect(await refusedOf({ attachments: "x" })).to.match(/attachments is not known/);
    });

    it("name no sender, and no recipients beside those in `to`", async () => {
      expect(await refusedOf({ from: "president@example.org" })).to.match(/from is not taken.*replyTo/);
      expect(await refusedOf({ cc: "a@example.com", bcc: "b@example.com" }))
        .to.match(/cc is not taken/)
        .and.match(/bcc is not taken/);
    });

    it("have no line breaks where a header could start, and one address where one is meant", async () => {
      for (const end of ["\r\nBcc: all@example.com", "\nX: y", "\rX: y", "\0", "\u2028X: y"]) {
        expect(await refusedOf({ subject: `Hello${end}` })).to.match(/subject must be one line/);
        expect(await refusedOf({ to: `${mail.to}${end}` })).to.match(/to must be addresses/);
        expect(await refusedOf({ replyTo: `${mail.to}${end}` })).to.match(/replyTo must be one address/);
      }
      for (const to of ["", ",", "a@example.com,", "Ada <ada@example.com>", "ada", `${"a".repeat(250)}@example.com`])
        expect(await refusedOf({ to })).to.match(/^to must be/);
      expect(await refusedOf({ to: ["a@example.com"] })).to.match(/to must be an address/);
      expect(await refusedOf({ replyTo: "a@example.com,b@example.com" })).to.match(/replyTo must be one address/);
    });

    it("are an action that roles can be granted, and an operation of the OpenAPI document", async () => {
      const { body } = await app().as("all").get("/api/users-permissions/permissions");
      expect(body.permissions["plugin::email"].controllers.email.send).to.deep.equal({ enabled: false, policy: "" });
      const { post } = (await app().as("all").get("/api/openapi.json")).body.paths["/api/email"];
      const { schema } = post.requestBody.content["application/json"];
      expect(schema.required).to.deep.equal(["to", "subject", "text"]);
      expect(schema.additionalProperties).to.equal(false);
      expect(schema.properties.to).to.include({ type: "string", format: "email" });
      expect(post.responses).to.include.all.keys("200", "400", "403", "429");
    });
  });
});

describe("mails that the public may send", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serve(() => ({
      plugins,
      database: database.config(),
      config: { permissions: { public: [SEND] } },
      pluginConfigs: {
        email: { recipients: ["office@example.com", "kim@example.com", "@shop.example"], maxRecipients: 2 },
        "users-permissions": { rateLimit: { max: 100 } },
      },
    }));

    it("go to the recipients of the configuration only, in any letter case", async () => {
      const statusOf = async (to: string) => (await app().public.post(EMAIL, { ...mail, to })).status;
      expect(await statusOf("Office@Example.com")).to.equal(200);
      expect(await statusOf("any.body@shop.example")).to.equal(200);
      for (const to of [
        "a@example.com",
        "a@sub.shop.example",
        "a@shop.example.org",
        "office@example.com,a@example.com",
        // The Kelvin sign is another letter, and old servers hand on what has a percent sign.
        "\u212Aim@example.com",
        "a%evil.example@shop.example",
        "evil.example!a@shop.example",
      ])
        expect([to, await statusOf(to)]).to.deep.equal([to, 400]);
      expect(app().mails.all).to.have.length(2);
    });
  });
});

describe("mails that anybody may send", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serve(() => ({
      plugins,
      database: database.config(),
      config: { permissions: { public: [SEND], authenticated: [SEND] } },
      pluginConfigs: { email: { recipients: [mail.to] }, "users-permissions": { rateLimit: { max: 3 } } },
    }));

    it("are counted by the address of the client, whether it is a user or not, and those of tokens are not", async () => {
      const user = await app().signIn({ role: "authenticated" });
      const statuses: number[] = [];
      for (const client of [app().public, user, app().public, user, app().public])
        statuses.push((await client.post(EMAIL, mail)).status);
      expect(statuses).to.deep.equal([200, 200, 200, 429, 429]);
      expect((await app().as([SEND]).post(EMAIL, mail)).status).to.equal(200);
    });
  });
});

describe("mails over REST that cannot be sent", () => {
  eitherDatabase(import.meta.url, (database) => {
    const noPlugin = serve(() => ({ plugins: [contentApiPlugin, emailPlugin], database: database.config() }));

    it("are a 503 with a code, and the reason is in the log", async () => {
      const { status, body } = await noPlugin().as([SEND]).post(EMAIL, mail);
      expect([status, body.error.code]).to.deep.equal([503, "PLINTH_EMAIL_NOT_SENT"]);
      expect(body.error.message).to.equal("The mail could not be sent. Try again later.");
      expect(JSON.stringify(noPlugin().logged)).to.include("enable users-permissions in config/plugins");
    });
  });
});

describe("mails over REST, where there are jobs", () => {
  const database = serverDatabase();
  if (!database) return;
  const app = serve(() => ({ plugins: [...plugins, jobsPlugin], database: database.config() }));

  it("wait for a job each, and are sent, as long as they may be", async () => {
    const to = "a@example.com,b@example.com";
    const text = "\u0001".repeat(60_000);
    expect(
      (
        await app()
          .as([SEND])
          .post(EMAIL, { ...mail, to, text, html: text })
      ).status,
    ).to.equal(200);
    await app().app.extension(jobs).idle();
    expect(app().mails.all.map((sent) => sent.to)).to.have.deep.members([["a@example.com"], ["b@example.com"]]);
  });
});

describe("configuration of mails over REST", () => {
  it("has recipients that are addresses or domains", () => {
    expect(parseConfig({ recipients: ["a@example.com", "@example.com"] })).to.include({ maxRecipients: 10 });
    for (const config of [{ recipients: [] }, { recipients: ["example.com"] }, { recipients: ["@a@b"] }, { to: "a" }])
      expect(() => parseConfig(config))
        .to.throw()
        .with.property("code", "PLINTH_EMAIL_CONFIG_INVALID");
  });
});
