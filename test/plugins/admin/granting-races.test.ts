import type { RegisterContext } from "@plinth/core";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eventsPlugin } from "@plinth/plugin-events";
import { jobsPlugin } from "@plinth/plugin-jobs";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { webhooksPlugin } from "@plinth/plugin-webhooks";
import { expect } from "chai";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";
import { waitForLocks } from "../../other-requests.js";
import { type Answered, serveAdmin } from "./serve-admin.js";
import { signIn } from "./sign-in.js";

const NOTE = "api::note.note";
const USER = "plugin::users-permissions.user";
const ROLE = "plugin::users-permissions.role";
const ENDPOINT = "plugin::webhooks.endpoint";
const GRANTS_MORE = [403, "PLINTH_ADMIN_GRANTS_MORE"];
const saysOf = ({ status, body }: Answered) => [status, body?.error?.code];

eitherDatabase("postgres", (database) => {
  describe("rights beyond the role of an administrator", () => {
    const served = serveAdmin(database, {
      plugins: [
        ...[contentApiPlugin, apiTokensPlugin, adminPlugin, eventsPlugin, jobsPlugin, usersPermissionsPlugin],
        webhooksPlugin,
      ],
      app: {
        contentTypes: {
          [NOTE]: {
            kind: "collectionType",
            info: { singularName: "note", pluralName: "notes", displayName: "Note" },
            attributes: { text: { type: "text" } },
          },
        },
        register: ({ registry }: RegisterContext<object>) => {
          const shown = { pluginOptions: { admin: { visible: true } } };
          registry("content-type").extend(USER, (user) => ({
            ...{ ...user, ...shown },
            attributes: { ...user.attributes, phone: { type: "string" } },
          }));
          registry("content-type").extend(ROLE, (role) => ({ ...role, ...shown }));
        },
      },
      pluginConfigs: {
        jobs: { work: false },
        "users-permissions": { jwtSecret: "what only these tests know", register: { enabled: false } },
        webhooks: { http: true, allow: ["127.0.0.1"] },
        admin: {
          roles: {
            desk: ["plugin::users-permissions.users"],
            hooker: ["plugin::admin.webhooks"],
            keeper: ["plugin::admin.tokens", "plugin::users-permissions.*"],
            content: ["plugin::users-permissions.*"],
          },
        },
      },
    });
    const app = () => served().plinth.app;
    const as = async (role: string, method: string, path: string, body?: unknown) =>
      await (await by(role))(method, path, body);
    const by = async (role: string) => {
      const headers = { ...(await signIn(app(), role)), "if-match": "*" };
      return (method: string, path: string, body?: unknown) => served().ask(method, `/admin${path}`, headers, body);
    };
    const makeRole = async (name: string, grant: readonly string[]) =>
      (await as("super", "POST", "/api/user-roles", { name, grant })).body.data.documentId as string;
    const makeUser = async (username: string, role: string) => {
      const values = { username, email: `${username}@example.com`, password: "Analytical-1", role };
      return (await as("super", "POST", "/api/users", values)).body.data.documentId as string;
    };
    /** The embedded database has one connection: its requests wait for the transaction as a whole. */
    const isWaiting = async () => {
      if (database.kind === "postgres") await waitForLocks(app().db);
    };
    /** Asks while a change is under way that was begun before. */
    const meanwhile = async (
      ask: () => Promise<Answered>,
      lock: () => Promise<unknown>,
      change: () => Promise<unknown>,
    ) => {
      let answer: Promise<Answered> | undefined;
      await app().db.transaction(async () => {
        await lock();
        answer = ask();
        await isWaiting();
        await change();
      });
      return saysOf((await answer) as Answered);
    };

    it("are not taken over by a password while a user gets a role with more", async () => {
      const [plain, boss] = [await makeRole("Plain", []), await makeRole("Boss", [`${NOTE}.find`])];
      const documentId = await makeUser("rising", plain);
      const path = `/api/users/${documentId}`;
      const desk = await by("desk");
      const documents = app().documents(USER);
      const outcome = await meanwhile(
        () => desk("PUT", path, { password: "Difference-2" }),
        () => documents.lock(documentId),
        () => documents.update({ documentId, data: { role: boss } }),
      );
      expect(outcome).to.deep.equal(GRANTS_MORE);
      const login = { identifier: "rising", password: "Analytical-1" };
      expect((await served().ask("POST", "/api/auth/local", {}, login)).status).to.equal(200);
    });

    it("are not taken over by another address while a webhook gets content", async () => {
      const hook = { name: "rising", url: "http://127.0.0.1:1/hook", events: ["entry.*"], types: [NOTE] };
      const { documentId } = (await as("super", "POST", "/webhooks", hook)).body.data;
      const hooker = await by("hooker");
      const documents = app().documents(ENDPOINT);
      const outcome = await meanwhile(
        () => hooker("PUT", `/webhooks/${documentId}`, { url: "http://127.0.0.1:2/mine" }),
        () => documents.lock(documentId),
        () => documents.update({ documentId, data: { content: true } }),
      );
      expect(outcome).to.deep.equal(GRANTS_MORE);
      expect((await as("super", "GET", `/webhooks/${documentId}`)).body.data).to.include({
        url: hook.url,
        content: true,
      });
    });

    it("are not in what a webhook kept from the time before its content was taken away", async () => {
      const hook = {
        name: "narrowed",
        url: "http://127.0.0.1:1/hook",
        events: ["entry.*"],
        types: [NOTE],
        content: true,
      };
      const { documentId } = (await as("super", "POST", "/webhooks", hook)).body.data;
      await app()
        .documents(NOTE)
        .create({ data: { text: "kept" } });
      await eventually(async () =>
        expect((await as("super", "GET", `/webhooks/${documentId}/deliveries`)).body.data).to.have.length(1),
      );
      expect((await as("super", "PUT", `/webhooks/${documentId}`, { content: false })).status).to.equal(200);
      const moved = { url: "http://127.0.0.1:2/mine" };
      expect(saysOf(await as("hooker", "PUT", `/webhooks/${documentId}`, moved))).to.deep.equal(GRANTS_MORE);
      expect((await as("hooker", "PUT", `/webhooks/${documentId}`, { url: `${hook.url}#same` })).status).to.equal(200);
      expect((await as("super", "PUT", `/webhooks/${documentId}`, moved)).status).to.equal(200);
    });

    it("are all that there are, for a token that can change roles of end users, or make users with any role", async () => {
      const make = (...permissions: readonly (string | object)[]) =>
        as("keeper", "POST", "/api-tokens", { name: JSON.stringify(permissions), type: "custom", permissions });
      const update = { action: `${USER}.update`, fields: ["provider", "phone"] };
      for (const action of ["role.updateRole", "role.createRole", "user.create", "user.update", "*"]) {
        const refused = await make(`plugin::users-permissions.${action}`);
        expect(saysOf(refused), action).to.deep.equal(GRANTS_MORE);
        expect(refused.body.error.message).to.include("can give itself every right");
      }
      expect(saysOf(await make(update))).to.deep.equal(GRANTS_MORE);
      expect((await make({ ...update, fields: ["phone"] })).status).to.equal(201);
      expect((await make(`${USER}.find`, `${USER}.destroy`)).status).to.equal(201);
    });

    it("are not given by the screens of content either, where the app shows users and their roles there", async () => {
      const [plain, boss] = [await makeRole("Plain people", []), await makeRole("Bosses", [`${NOTE}.find`])];
      const user = await makeUser("shown", plain);
      const write = (uid: string, id: string, data: object) =>
        as("content", "PUT", `/api/content/${uid}/${id}`, { data }).then(saysOf);
      expect(await write(USER, user, { role: boss })).to.deep.equal(GRANTS_MORE);
      expect(await write(ROLE, plain, { type: "mine" })).to.deep.equal(GRANTS_MORE);
      expect(await write(USER, user, { phone: "555" })).to.deep.equal([200, undefined]);
      expect(await write(USER, user, { role: null })).to.deep.equal([200, undefined]);
    });

    it("are named, and are none of what everybody does with their own account", async () => {
      const [members, writers] = [
        await makeRole("Members", [
          "plugin::users-permissions.user.me",
          "plugin::users-permissions.auth.changePassword",
        ]),
        await makeRole("Writers", ["plugin::users-permissions.user.me", `${NOTE}.create`]),
      ];
      const make = (role: string, username: string) =>
        as("desk", "POST", "/api/users", {
          username,
          email: `${username}@example.com`,
          password: "Analytical-1",
          role,
        });
      expect((await make(members, "member")).status).to.equal(201);
      const refused = await make(writers, "writer");
      expect(saysOf(refused)).to.deep.equal(GRANTS_MORE);
      expect(refused.body.error.message).to.equal(
        `The role "Writers" of end users has a right that your role does not have: ${NOTE}.create.`,
      );
      expect(
        await app()
          .documents(USER)
          .count({ filters: { username: "writer" } }),
      ).to.equal(0);
      // What the public may do, everybody may.
      const anyone = (
        await app()
          .documents("plugin::users-permissions.role")
          .findFirst({ filters: { type: "public" } })
      )?.documentId;
      await as("super", "PUT", `/api/user-roles/${anyone}`, { grant: [`${NOTE}.create`] });
      expect((await make(writers, "writer")).status).to.equal(201);
    });
  });
});
