import { graphqlPlugin } from "@plinth/plugin-graphql";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { ADMIN, type AuthAppOptions, PASSWORD, serveAuthApp } from "./auth-app.js";

const withGraphql = (config: AuthAppOptions["config"] = {}): AuthAppOptions => ({
  setup: { plugins: [graphqlPlugin] },
  config,
});

/** Where links of mails lead. */
const LINKS = { resetPassword: { url: "https://app.example.com/reset" } };

/** The mutations that a session may come of. */
const SIGNING_IN: Readonly<Record<string, string>> = {
  login: `login(input: { identifier: "olga", password: "${PASSWORD}" })`,
  register: `register(input: { username: "pia", email: "pia@example.com", password: "${PASSWORD}" })`,
  changePassword: `changePassword(currentPassword: "x", password: "y", passwordConfirmation: "y")`,
  resetPassword: `resetPassword(code: "x", password: "y", passwordConfirmation: "y")`,
};

eitherDatabase(import.meta.url, (database) => {
  describe("Signing in over GraphQL", () => {
    const app = serveAuthApp(database, withGraphql());
    const send = sender(app);
    const register = (name: string) =>
      send(
        `mutation ($input: UsersPermissionsRegisterInput!) {
          register(input: $input) { jwt user { id documentId username email confirmed blocked role { name type } } }
        }`,
        { variables: { input: { username: name, email: `${name}@example.com`, password: PASSWORD } } },
      );

    it("registers, with the role that new users get", async () => {
      const { data } = await register("gina");
      expect(data.register.jwt).to.be.a("string");
      expect(data.register.user).to.deep.include({ username: "gina", confirmed: true, blocked: false });
      expect(data.register.user.role).to.deep.equal({ name: "Authenticated", type: "authenticated" });
    });

    it("refuses what the route refuses, in its words", async () => {
      await register("hank");
      const { data, errors } = await register("hank");
      expect(data).to.equal(null);
      expect(errors[0].message).to.equal("Email or Username are already taken");
    });

    it("logs in, and tells the user about itself", async () => {
      await register("iris");
      const login = `mutation { login(input: { identifier: "iris", password: "${PASSWORD}" }) { jwt refreshToken user { username } } }`;
      const { data } = await send(login);
      expect(data.login).to.deep.include({ refreshToken: null, user: { username: "iris" } });
      const me = await send("{ me { username email role { type } } }", { token: data.login.jwt });
      expect(me.data.me).to.deep.equal({
        username: "iris",
        email: "iris@example.com",
        role: { type: "authenticated" },
      });
    });

    it("has no way round the providers of the app", async () => {
      const { errors } = await send(
        `mutation { login(input: { identifier: "x", password: "y", provider: "github" }) { jwt } }`,
      );
      expect(errors).to.have.length(1);
    });

    it("tells the public nothing, and a token of no user that nobody is signed in", async () => {
      const anonymous = await send("{ me { username } }");
      expect([anonymous.data, anonymous.errors[0].message]).to.deep.equal([{ me: null }, "Forbidden access"]);
      const program = await send("{ me { username } }", { token: ADMIN });
      expect(program.data).to.deep.equal({ me: null });
      expect(program.errors).to.have.length(1);
    });

    it("changes a password for who knows the old one", async () => {
      const { data } = await register("jude");
      const change = (current: string) =>
        send(
          `mutation { changePassword(currentPassword: "${current}", password: "N3w-password", passwordConfirmation: "N3w-password") { jwt } }`,
          { token: data.register.jwt },
        );
      const wrong = await change("not-it-at-all");
      expect(wrong.errors[0].message).to.equal("The provided current password is invalid");
      expect((await change(PASSWORD)).data.changePassword.jwt).to.be.a("string");
    });

    it("answers forgotten passwords alike for everybody, and refuses wrong codes and tokens", async () => {
      for (const email of ["gina@example.com", "nobody@example.com"]) {
        const { data } = await send(`mutation { forgotPassword(email: "${email}") { ok } }`);
        expect(data).to.deep.equal({ forgotPassword: { ok: true } });
      }
      const reset = await send(
        'mutation { resetPassword(code: "dead", password: "N3w-password", passwordConfirmation: "N3w-password") { jwt } }',
      );
      expect(reset.errors[0].message).to.equal("Incorrect code provided");
      const confirmed = await send('mutation { emailConfirmation(confirmation: "nope") { jwt } }');
      expect(confirmed.errors[0].message).to.equal("Invalid token");
    });
  });

  describe("Codes of mails over GraphQL", () => {
    const app = serveAuthApp(database, withGraphql({ emailConfirmation: { enabled: true }, ...LINKS }));
    const send = sender(app);
    const latestCode = async (key: string) => {
      const plugin = app().plinth.app.plugin("users-permissions");
      await plugin.service("auth").settle();
      const text = plugin.service("mailer").kept().at(-1)?.text ?? "";
      return new URL(/https?:\S+/.exec(text)?.[0] ?? "").searchParams.get(key);
    };

    it("confirm the address of who registered without a token, and then sign in", async () => {
      const input = `{ username: "nora", email: "nora@example.com", password: "${PASSWORD}" }`;
      const { data } = await send(`mutation { register(input: ${input}) { jwt user { confirmed } } }`);
      expect(data.register).to.deep.equal({ jwt: null, user: { confirmed: false } });
      const confirmation = await latestCode("confirmation");
      const confirm = `mutation { emailConfirmation(confirmation: "${confirmation}") { jwt user { confirmed } } }`;
      const confirmed = (await send(confirm)).data.emailConfirmation;
      expect(confirmed.user).to.deep.equal({ confirmed: true });
      const me = await send("{ me { username } }", { token: confirmed.jwt });
      expect(me.data).to.deep.equal({ me: { username: "nora" } });
    });

    it("set a new password", async () => {
      await send('mutation { forgotPassword(email: "nora@example.com") { ok } }');
      const code = await latestCode("code");
      const reset = `mutation { resetPassword(code: "${code}", password: "N3w-password", passwordConfirmation: "N3w-password") { jwt user { username } } }`;
      const { resetPassword } = (await send(reset)).data;
      expect(resetPassword.jwt).to.be.a("string");
      expect(resetPassword.user).to.deep.equal({ username: "nora" });
    });
  });

  describe("Guesses at an account that was made over GraphQL", () => {
    const limits = { rateLimit: { max: 4, interval: 60 } };
    const proxy = { appConfig: { server: { host: "127.0.0.1", port: 0, proxy: true } } };
    const app = serveAuthApp(database, { ...withGraphql(limits), ...proxy });
    const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
    const login = (password: string, address: string) =>
      app().post("/api/auth/local", { identifier: "nell", password }, from(address));

    it("do not lock out the network that it was made from", async () => {
      const input = `{ username: "nell", email: "nell@example.com", password: "${PASSWORD}" }`;
      const query = `mutation { register(input: ${input}) { jwt } }`;
      const made = await app().post("/graphql", { query }, from("2001:db8:4:ffff::1"));
      expect(made.body.data.register.jwt).to.be.a("string");
      for (let n = 0; n < 16; n++) await login("a-wrong-password", `2001:db8:4:${n}::1`);
      expect((await login(PASSWORD, "2001:db8:4:eeee::1")).status).to.equal(429);
      expect((await login(PASSWORD, "2001:db8:4:ffff::2")).status).to.equal(200);
    });
  });

  describe("Sessions over GraphQL", () => {
    const app = serveAuthApp(database, withGraphql({ jwtManagement: "refresh" }));
    const login = `mutation { login(input: { identifier: "olga", password: "${PASSWORD}" }) { jwt refreshToken } }`;

    it("begin with a refresh token in the answer, or in a cookie where the client asks for one", async () => {
      await app().register("olga");
      const plain = await app().post("/graphql", { query: login });
      expect(plain.body.data.login.refreshToken).to.be.a("string");
      const headers = { "x-strapi-refresh-cookie": "httpOnly" };
      const hidden = await app().post("/graphql", { query: login }, { headers });
      expect(hidden.body.data.login.refreshToken).to.equal(null);
      expect(hidden.headers.get("set-cookie")).to.include("strapi_up_refresh=");
    });

    it("put no session into the cookie of a visitor when another site asks", async () => {
      const cookie = { "x-strapi-refresh-cookie": "httpOnly" };
      const token: string = (await app().post("/graphql", { query: login })).body.data.login.jwt;
      for (const field of ["login", "register", "changePassword", "resetPassword"]) {
        const query = `mutation { ${SIGNING_IN[field]} { jwt } }`;
        for (const foreign of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
          const from = { headers: { ...cookie, ...foreign }, ...(field === "changePassword" ? { token } : {}) };
          const { body, headers } = await app().post("/graphql", { query }, from);
          expect(body.errors[0].message, field).to.match(/^Sign-ins with a cookie have to come from this site/);
          expect(headers.getSetCookie()).to.deep.equal([]);
        }
      }
      const own = { ...cookie, "sec-fetch-site": "same-origin" };
      expect((await app().post("/graphql", { query: login }, { headers: own })).body.errors).to.equal(undefined);
    });
  });

  describe("Users and roles over GraphQL", () => {
    const app = serveAuthApp(database, withGraphql());
    const send = sender(app);
    const admin = { token: ADMIN };

    it("are made, changed and deleted by row id or documentId", async () => {
      const roles = await app().ask("GET", "/api/users-permissions/roles", admin);
      const input = {
        username: "kate",
        email: "kate@example.com",
        password: PASSWORD,
        role: String(roles.body.roles[0].id),
      };
      const made = await send(
        `mutation ($data: UsersPermissionsUserInput!) {
          createUsersPermissionsUser(data: $data) { data { documentId username role { type } } }
        }`,
        { ...admin, variables: { data: input } },
      );
      const { documentId, ...user } = made.data.createUsersPermissionsUser.data;
      expect([made.status, user]).to.deep.equal([200, { username: "kate", role: { type: roles.body.roles[0].type } }]);
      const blocked = await send(
        `mutation { updateUsersPermissionsUser(id: "${documentId}", data: { blocked: true }) { data { username blocked } } }`,
        admin,
      );
      expect(blocked.data.updateUsersPermissionsUser.data).to.deep.equal({ username: "kate", blocked: true });
      const gone = await send(
        `mutation { deleteUsersPermissionsUser(id: "${documentId}") { data { username } } }`,
        admin,
      );
      expect(gone.data.deleteUsersPermissionsUser.data).to.deep.equal({ username: "kate" });
      const again = await send(
        `mutation { deleteUsersPermissionsUser(id: "${documentId}") { data { username } } }`,
        admin,
      );
      expect(again.errors[0].message).to.equal("User not found");
    });

    it("change roles by name and description, and refuse what belongs elsewhere", async () => {
      const create = 'mutation { createUsersPermissionsRole(data: { name: "Editors" }) { ok } }';
      expect((await send(create, admin)).data).to.deep.equal({ createUsersPermissionsRole: { ok: true } });
      const found = await send('{ usersPermissionsRoles(filters: { type: { eq: "editors" } }) { documentId } }', admin);
      const [{ documentId }] = found.data.usersPermissionsRoles;
      const update = (data: string) =>
        send(`mutation { updateUsersPermissionsRole(id: "${documentId}", data: ${data}) { ok } }`, admin);
      expect((await update('{ description: "They edit." }')).data).to.deep.equal({
        updateUsersPermissionsRole: { ok: true },
      });
      expect((await update('{ users: ["1"] }')).errors[0].message).to.match(/^users of a role cannot be set here/);
      const remove = `mutation { deleteUsersPermissionsRole(id: "${documentId}") { ok } }`;
      expect((await send(remove, admin)).data).to.deep.equal({ deleteUsersPermissionsRole: { ok: true } });
      expect((await send(remove, admin)).errors).to.have.length(1);
    });

    it("are nothing for the public", async () => {
      const { data, errors } = await send('mutation { createUsersPermissionsRole(data: { name: "Mine" }) { ok } }');
      expect(data).to.deep.equal({ createUsersPermissionsRole: null });
      expect(errors[0].extensions.code).to.equal("FORBIDDEN");
    });

    it("show neither sessions nor tokens nor anything private", async () => {
      const { data } = await send("{ __schema { types { name fields { name } inputFields { name } } } }", admin);
      const types = new Map<string, Named>(data.__schema.types.map((type: Named) => [type.name, type]));
      const named = (name: string) =>
        (types.get(name)?.fields ?? types.get(name)?.inputFields ?? []).map((f) => f.name);
      expect([...types.keys()].filter((name) => /Session|ApiTokens/.test(name))).to.deep.equal([]);
      expect(named("UsersPermissionsUser")).to.not.include.members(["password", "resetPasswordToken"]);
      expect(named("UsersPermissionsUserInput")).to.include("password").and.not.include("sessionVersion");
      expect(named("Mutation")).to.not.include("createUsersPermissionsPermission");
    });
  });

  describe("Guesses over GraphQL", () => {
    const app = serveAuthApp(database, withGraphql({ rateLimit: { max: 3 } }));
    const send = sender(app);
    const login = (identifier: string) => `login(input: { identifier: "${identifier}", password: "guess" }) { jwt }`;

    it("count one by one, however many are in a document, and together with those over REST", async () => {
      await app().post("/api/auth/local", { identifier: "lara", password: "guess" });
      await send(`mutation { ${login("lara")} }`);
      await send(`mutation { ${login("LARA")} }`);
      const spent = await send(`mutation { ${login("lara")} }`);
      expect(spent.errors[0].extensions.error.name).to.equal("RateLimitError");
      const rest = await app().post("/api/auth/local", { identifier: "lara", password: "guess" });
      expect(rest.status).to.equal(429);
    });

    it("in one document are counted each", async () => {
      const many = await send(
        `mutation { ${["a", "b", "c", "d"].map((alias) => `${alias}: ${login("mara")}`).join(" ")} }`,
      );
      expect(many.errors[0].message).to.equal("Invalid identifier or password");
      await send(`mutation { ${login("mara")} }`);
      await send(`mutation { ${login("mara")} }`);
      expect((await send(`mutation { ${login("mara")} }`)).errors[0].extensions.error.name).to.equal("RateLimitError");
    });
  });
});

interface Named {
  readonly name: string;
  readonly fields?: readonly { readonly name: string }[];
  readonly inputFields?: readonly { readonly name: string }[];
}

/** Sends operations as the public, or with a token. */
function sender(app: ReturnType<typeof serveAuthApp>) {
  return async (query: string, { token, variables }: { readonly token?: string; readonly variables?: object } = {}) => {
    const body = { query, ...(variables ? { variables } : {}) };
    const answer = await app().post("/graphql", body, token === undefined ? {} : { token });
    return { status: answer.status, ...answer.body };
  };
}
