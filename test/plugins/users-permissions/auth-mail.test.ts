import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPlinth, isPlinthError, type WrittenMail } from "@plinth/core";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { expect } from "chai";
import { pino } from "pino";
import { renderTemplate } from "#plugins/users-permissions/src/mail/templates.js";
import { eitherDatabase } from "../../databases.js";
import { serveAuthApp } from "./auth-app.js";
import { type MailServer, startMailServer } from "./mail-server.js";

/** The code of what a piece of work fails with. */
async function codeOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
  } catch (error) {
    return isPlinthError(error) ? error.code : String(error);
  }
  return undefined;
}

describe("a mail template", () => {
  const template = { subject: "For {{ name }}", text: "{{name}}: {{ link }}", html: "<p>{{ name }}</p>" };

  it("gets values by name, escaped where they would be markup", () => {
    const variables = { name: `<b>"A" & 'B'</b>`, link: "https://example.com/?a=1&b=2" };
    const mail = renderTemplate("greeting", template, variables);
    expect(mail.text).to.equal(`<b>"A" & 'B'</b>: https://example.com/?a=1&b=2`);
    expect(mail.html).to.equal("<p>&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;</p>");
  });

  it("runs nothing that stands in it or in a value", () => {
    const mail = renderTemplate("greeting", template, { name: "{{ link }} ${1+1} <%= 1 %> $&", link: "x" });
    expect(mail.text).to.equal("{{ link }} ${1+1} <%= 1 %> $&: x");
  });

  it("has a subject of one line, whatever a name holds", () => {
    const { subject } = renderTemplate("greeting", template, { name: "A\r\nBcc: all@example.com", link: "x" });
    expect(subject).to.equal("For A Bcc: all@example.com");
  });

  it("knows the variables of its mail only", async () => {
    for (const name of ["nmae", "constructor", "__proto__", "name.length", "1 + 1"]) {
      const wrong = { subject: "", text: `{{ ${name} }}` };
      expect(await codeOf(() => renderTemplate("greeting", wrong, { name: "A" })), name).to.equal(
        "PLINTH_MAIL_UNKNOWN_VARIABLE",
      );
    }
  });
});

describe("mails", () => {
  eitherDatabase(import.meta.url, (database) => {
    let server: MailServer;
    const mail = {
      from: "Plinth <plinth@example.com>",
      templates: { greeting: { subject: "Hi", text: "{{ name }}" } },
    };
    const settings: { mail?: object } = {};
    before("start a mail server", async () => {
      server = await startMailServer({ isSlow: true });
      settings.mail = { ...mail, smtp: server.url };
    });
    const served = serveAuthApp(database, { config: settings as Record<string, unknown> });
    after("stop the mail server", () => server.close());
    const handle = () => served().plinth.app.plugin("users-permissions");

    it("go to the configured server, and nobody waits for it", async () => {
      await served().register("ada");
      const answer = await served().post("/api/auth/forgot-password", { email: "ada@example.com" });
      expect(answer.body).to.deep.equal({ ok: true });
      expect(server.received).to.have.length(0);
      server.open();
      await handle().service("auth").settle();
      const [received = ""] = server.received;
      expect(received).to.include("From: Plinth <plinth@example.com>").and.include("To: ada@example.com");
      expect(received).to.include("Hello ada");
    });

    it("that are to go later, or once a key, are refused where there are no jobs, and none is sent", async () => {
      const before = server.received.length;
      const mail = { to: "grace@example.com", subject: "Later", text: "T" };
      for (const options of [{ at: new Date(Date.now() + 86_400_000) }, { key: "once" }]) {
        const refused: unknown = await served()
          .plinth.app.mail.send(mail, options)
          .catch((error: unknown) => error);
        expect(refused, JSON.stringify(options)).to.include({ code: "PLINTH_MAIL_NEEDS_JOBS" });
        expect(String(refused)).to.include("plugin jobs");
      }
      expect(server.received).to.have.length(before);
    });

    it("that cannot be sent are refused at once, in words that say why", async () => {
      const before = server.received.length;
      const refusedOf = async (given: object) => {
        const { code, message } = await served()
          .plinth.app.mail.send(given as WrittenMail)
          .then(
            () => ({ code: "sent", message: "" }),
            (error: { code: string; message: string }) => error,
          );
        return `${code} ${message}`;
      };
      const written = { subject: "S", text: "T" };
      // A name would be taken for a part of the mailbox.
      for (const to of ["", undefined, "no address", "a@x.example, b@y.example", "Ada <ada@example.com>", 7, "a@\nb"])
        expect(await refusedOf({ ...written, to }), String(to)).to.match(
          /^PLINTH_MAIL_INVALID .*to must be one address/,
        );
      for (const replyTo of [
        "",
        null,
        "a@x.example, b@y.example",
        "Ada <ada@example.com>",
        "a@x.example\r\nBcc: b@y.example",
      ])
        expect(await refusedOf({ ...written, to: "ada@example.com", replyTo }), String(replyTo)).to.match(
          /^PLINTH_MAIL_INVALID .*replyTo must be one address/,
        );
      const bare = await refusedOf({ to: "ada@example.com", html: null });
      expect(bare).to.include("subject must").and.include("text must").and.include("html must");
      const greeting = { to: "ada@example.com", template: "greeting" };
      for (const name of [null, undefined, { first: "Ada" }, ["Ada"]])
        expect(await refusedOf({ ...greeting, variables: { name } })).to.match(
          /^PLINTH_MAIL_INVALID .*"name" must be a string/,
        );
      expect(await refusedOf({ ...greeting, variables: null })).to.match(/^PLINTH_MAIL_UNKNOWN_VARIABLE /);
      expect(server.received).to.have.length(before);
    });

    it("take numbers for text, and addresses of every form", async () => {
      const { mail } = served().plinth.app;
      const variables = { name: 12 as unknown as string };
      await mail.send({ to: "grace@example.com", template: "greeting", variables });
      expect(server.received.at(-1)).to.include("12");
      for (const to of ['"a b"@example.com', "o'hara+tag@sub.example.com", "root@localhost"]) {
        await mail.send({ to, subject: "S", text: "T" });
        expect(server.received.at(-1)).to.include(to);
      }
      await mail.send({ to: "a@example.com", subject: "S", text: "T", replyTo: '"a b"@example.com' });
      expect(server.received.at(-1)).to.include('Reply-To: <"a b"@example.com>');
    });

    it("of other plugins are sent too, and a template that is not there is an error", async () => {
      const mailer = handle().service("mailer");
      await mailer.send({ to: "grace@example.com", template: "greeting", variables: { name: "Grace" } });
      expect(server.received.at(-1)).to.include("Grace");
      expect(await codeOf(() => mailer.send({ to: "grace@example.com", template: "nope" }))).to.equal(
        "PLINTH_MAIL_UNKNOWN_TEMPLATE",
      );
      expect(await codeOf(() => mailer.send({ to: "grace@example.com", template: "constructor" }))).to.equal(
        "PLINTH_MAIL_UNKNOWN_TEMPLATE",
      );
    });
  });
});

describe("mails without a server", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database, { environment: "production" });

    it("are refused in production, which the log tells and the client does not learn", async () => {
      await served().register("ada");
      const answer = await served().post("/api/auth/forgot-password", { email: "ada@example.com" });
      expect(answer.body).to.deep.equal({ ok: true });
      const handle = served().plinth.app.plugin("users-permissions");
      await handle.service("auth").settle();
      expect(served().log.join("")).to.include("mail.smtp is not configured");
      expect(
        await codeOf(() => handle.service("mailer").send({ to: "a@example.com", template: "resetPassword" })),
      ).to.be.a("string");
      const mail = { to: "a@example.com", subject: "", text: "" };
      expect(await codeOf(() => handle.service("mailer").deliver(mail))).to.equal("PLINTH_MAIL_NO_TRANSPORT");
    });
  });

  it("are kept in files in development, for their owner only", async () => {
    const root = mkdtempSync(join(tmpdir(), "plinth-mails-"));
    const plinth = createPlinth({
      root,
      plugins: [usersPermissionsPlugin],
      config: { database: { client: "pglite", directory: ".plinth/data" } },
      log: pino({ level: "silent" }),
    });
    try {
      await plinth.start({ listen: false });
      await plinth.app
        .service("plugin::users-permissions.mailer")
        .deliver({ to: "a@example.com", replyTo: "b@example.com", subject: "S", text: "T" });
      const folder = join(root, ".plinth", "mails");
      const [file = ""] = readdirSync(folder);
      expect(readFileSync(join(folder, file), "utf8")).to.equal(
        "To: a@example.com\nReply-To: b@example.com\nSubject: S\n\nT",
      );
      expect(statSync(join(folder, file)).mode & 0o077).to.equal(0);
    } finally {
      await plinth.stop();
      rmSync(root, { recursive: true, force: true });
    }
  });
});
