// What reads and writes of code hand out of private attributes, and to the caller of a request.
import { definePlugin, type HttpContext, isPlinthError, type RawContentType } from "@plinth/core";
import { createAbility } from "@plinth/core/access";
import { type CollectionService, contentApiPlugin, createCoreService, foundPage } from "@plinth/plugin-content-api";
import { graphqlExtension, graphqlPlugin } from "@plinth/plugin-graphql";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { expect } from "chai";
import { nonNull, queryField } from "nexus";

const ORDER = "api::order.order";
const POST = "api::post.post";
const USER = "plugin::users-permissions.user";

const type = (name: string, attributes: NonNullable<RawContentType["attributes"]>, drafts = false) => ({
  kind: "collectionType" as const,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: drafts },
  attributes,
});

const contentTypes = {
  [ORDER]: type("order", {
    number: { type: "string", required: true },
    margin: { type: "integer", private: true },
    checkedBy: { type: "relation", relation: "manyToOne", target: USER, private: true },
    user: { type: "relation", relation: "manyToOne", target: USER },
    address: { type: "component", component: "shop.address" },
  }),
  [POST]: type("post", { title: { type: "string" }, source: { type: "string", private: true } }, true),
};

const components = {
  "shop.address": {
    info: { displayName: "Address" },
    attributes: { city: { type: "string" as const }, doorCode: { type: "string" as const, private: true } },
  },
};

/** What of a user belongs to nobody but the plugin of users. */
const SECRETS = ["resetPasswordToken", "confirmationToken", "sessionVersion", "usernameKey", "emailKey", "password"];

/** Orders as an app's own code reads them for its caller. */
const MINE = { visibility: "caller", populate: { user: true, address: true } } as const;

const shop = definePlugin({
  name: "shop",
  dependsOn: ["graphql"],
  register: ({ app, extension }) => {
    app.auth.register({
      name: "staff",
      authenticate: (bearer) => (bearer === "staff" ? { kind: "admin", ability: createAbility("all") } : undefined),
    });
    extension(graphqlExtension).use(() => ({
      types: [
        queryField("myOrders", {
          type: nonNull("String"),
          resolve: async () => JSON.stringify(await app.documents(ORDER).findMany(MINE)),
        }),
      ],
    }));
  },
});

describe("What code hands out", () => {
  let test: TestApp;
  let ada: { readonly id: number; readonly documentId: string };

  const orders = () => test.app.documents(ORDER);
  const posts = () => test.app.documents(POST);
  const served = () => (test.app.service as (uid: string) => CollectionService)(ORDER);

  before("start a shop with an order of Ada's and one of Emmy's", async () => {
    const route = (method: "GET" | "POST", path: string, run: (ctx: HttpContext) => unknown, isOpen = false) => ({
      ...{ method, path, handler: run },
      config: isOpen ? { auth: false as const } : { auth: { scope: [`${ORDER}.find`] } },
    });
    test = await createTestApp({
      plugins: [contentApiPlugin, graphqlPlugin, usersPermissionsPlugin, shop],
      app: {
        contentTypes,
        components,
        services: [
          {
            kind: "service",
            uid: ORDER,
            deps: {},
            create: (_deps: object, { app }) => createCoreService(ORDER)({ app }),
          },
          {
            kind: "service",
            uid: POST,
            deps: {},
            create: (_deps: object, { app }) =>
              createCoreService(POST, ({ app }) => ({
                async find() {
                  const rows = await app.documents(POST).findMany({ visibility: "caller", sort: "title" });
                  return foundPage(rows, { page: 1, pageSize: 25 });
                },
              }))({ app }),
          },
        ],
        routes: [
          route("GET", "/my-orders", async ({ query }) => ({
            data: await orders().findMany({ ...query, ...MINE }),
          })),
          route("GET", "/served-orders", async () => ({
            data: (await served().find({}, { visibility: "caller" })).rows(),
          })),
          route("GET", "/open-orders", async () => ({ data: await orders().findMany(MINE) }), true),
          route("GET", "/greedy-orders", async () => ({
            data: await orders().findMany({ ...MINE, withPrivate: true }),
          })),
          route("GET", "/searched-posts", async () => ({
            data: await posts().findMany({ visibility: "caller", search: "first" }),
          })),
          route("POST", "/my-orders/:id", async ({ params, request }) => ({
            data: await orders().update({
              ...{ documentId: params["id"] ?? "", data: request.body as Record<string, unknown> },
              ...MINE,
            }),
          })),
        ],
      },
    });
    const create = async (username: string) => {
      const data = {
        username,
        email: `${username}@example.com`,
        password: "correct horse",
        resetPasswordToken: "token",
      };
      const { id, documentId } = await test.app.documents(USER).create({ data });
      return { id, documentId };
    };
    ada = await create("ada");
    const emmy = await create("emmy");
    for (const [number, user] of [
      ["A-1", ada],
      ["E-1", emmy],
    ] as const) {
      const address = { city: "London", doorCode: "4711" };
      await orders().create({
        data: { number, margin: 7, user: user.documentId, checkedBy: emmy.documentId, address },
      });
    }
    for (const title of ["first", "second"])
      await posts().create({ data: { title, source: "diary" }, status: title === "first" ? "published" : "draft" });
  });
  after("stop it", () => test?.stop());

  /** Ada, who may read and change her own orders. */
  const asAda = () => {
    const where = { user: { documentId: "{{user.documentId}}" } };
    const own = ["find", "update"].map((action) => ({ action: `${ORDER}.${action}`, where }));
    return test.as([...own, `${POST}.find`, `${USER}.find`], ada);
  };

  describe("in reads of its own", () => {
    const populate = { user: true, address: true } as const;

    it("is nothing private at any depth, in lists, of one document and in answers of writes", async () => {
      const first = await orders().findFirst({ filters: { number: "A-1" }, populate });
      const { documentId } = first as { readonly documentId: string };
      const found = [
        first,
        await orders().findOne({ documentId, populate }),
        ...(await orders().findMany({ populate })),
        await orders().update({ documentId, data: { number: "A-1" }, populate }),
        await orders().findFirst({ populate: "*" }),
      ];
      expect(found).to.have.length(6);
      for (const order of found) {
        expect(order).to.include.keys("number", "user", "address").and.not.include.keys("margin", "checkedBy");
        expect(order?.["user"])
          .to.include.keys("username")
          .and.not.include.keys(...SECRETS);
        expect(order?.["address"]).to.include.keys("city").and.not.include.keys("doorCode");
      }
      const post = await posts().create({ data: { title: "third", source: "diary" } });
      const { entries: published } = await posts().publish({ documentId: post.documentId });
      const { entries: deleted } = await posts().delete({ documentId: post.documentId });
      for (const entry of [post, ...published, ...deleted])
        expect(entry).to.include({ title: "third" }).and.not.have.property("source");
    });

    it("is all but passwords where it says `withPrivate`", async () => {
      const withPrivate = true;
      const order = await orders().findFirst({ filters: { margin: 7, number: "A-1" }, populate: "*", withPrivate });
      expect(order).to.include({ margin: 7 }).and.include.keys("checkedBy");
      expect(order?.["address"]).to.include({ doorCode: "4711" });
      expect(order?.["user"]).to.include({ resetPasswordToken: "token" }).and.not.have.property("password");
      const post = await posts().create({ data: { title: "third", source: "diary" }, withPrivate });
      const asked = { fields: ["source"], filters: { source: "diary" }, withPrivate } as const;
      const { entries: published } = await posts().publish({ documentId: post.documentId, ...asked });
      await posts().update({ documentId: post.documentId, data: {}, ...asked });
      const { entries: deleted } = await posts().delete({ documentId: post.documentId, withPrivate });
      for (const entry of [post, ...published, ...deleted]) expect(entry).to.include({ source: "diary" });
    });

    it("is refused by name where it asks for something private and does not say so", async () => {
      const asked = {
        "margin in filters": { filters: { $or: [{ margin: { $gt: 1 } }] } },
        "user.resetPasswordToken in filters": { filters: { user: { resetPasswordToken: "token" } } },
        "margin in sort": { sort: "margin" },
        "margin in fields": { fields: ["margin"] },
        "checkedBy in populate": { populate: { checkedBy: true } },
        "address.doorCode in filters": { filters: { address: { doorCode: "4711" } } },
      };
      for (const [place, params] of Object.entries(asked)) {
        const error = await orders()
          .findMany(params as object)
          .catch((thrown: unknown) => thrown);
        expect(isPlinthError(error) && error.code, place).to.equal("PLINTH_QUERY_PRIVATE");
        expect((error as Error).message).to.equal(`${place} is private`);
        await orders().findMany({ ...(params as object), withPrivate: true });
      }
      const error = await orders()
        .count({ filters: { margin: 7 } })
        .catch((thrown: unknown) => thrown);
      expect(isPlinthError(error) && error.code).to.equal("PLINTH_QUERY_PRIVATE");
      expect(await orders().count({ filters: { margin: 7 }, withPrivate: true })).to.equal(2);
    });
  });

  it("is decided by options of code, and by no text of a query string", async () => {
    const texts = [
      { withPrivate: "true" },
      { withPrivate: "1" },
      { visibility: "callers" },
      { ability: { key: "x" } },
      { asStored: "1" },
    ];
    for (const options of texts) {
      const error = await orders()
        .findMany(options as object)
        .catch((thrown: unknown) => thrown);
      expect(isPlinthError(error) && error.code, JSON.stringify(options)).to.equal("PLINTH_QUERY_INVALID_OPTION");
    }
    // With a hyphen: a search looks into random document ids, too.
    expect(await orders().count({ search: "E-1", visibility: "public" })).to.equal(1);
    const [admins] = await orders().findMany({ visibility: "admin" });
    expect(admins).to.include.keys("number").and.not.include.keys("margin");
  });

  describe("to the caller of a request", () => {
    const numbersOf = (body: { readonly data: readonly { readonly number: string }[] }) =>
      body.data.map(({ number }) => number);

    it("is what the rules of their role reach, without anything private", async () => {
      for (const path of ["/api/my-orders", "/api/greedy-orders"]) {
        const { status, body } = await asAda().get(path);
        expect(status, JSON.stringify(body)).to.equal(200);
        expect(numbersOf(body), path).to.deep.equal(["A-1"]);
        expect(body.data[0]).to.not.include.keys("margin", "checkedBy");
        expect(body.data[0].user)
          .to.include({ username: "ada" })
          .and.not.include.keys(...SECRETS);
        expect(body.data[0].address).to.deep.include({ city: "London" }).and.not.include.keys("doorCode");
      }
      expect(numbersOf((await test.as("all").get("/api/my-orders")).body)).to.deep.equal(["A-1", "E-1"]);
    });

    it("is all but passwords to an administrator", async () => {
      const { body } = await test.withBearer("staff").get("/api/greedy-orders");
      expect(body.data[0]).to.include({ number: "A-1", margin: 7 });
      expect(body.data[0].user).to.include({ resetPasswordToken: "token" }).and.not.have.property("password");
    });

    it("is nothing of what they may not find, and no more by a parameter that they send", async () => {
      expect((await test.public.get("/api/open-orders")).body).to.deep.equal({ data: [] });
      const without = await test.as([`${ORDER}.find`]).get("/api/my-orders");
      expect(without.body.data[0]).to.not.have.property("user");
      for (const query of ["asStored=true", "facts[0]=createdBy", "withPrivate=true", "ability[key]=x"])
        expect((await asAda().get(`/api/my-orders?${query}`)).status, query).to.equal(400);
      for (const query of ["filters[margin]=7", "filters[user][resetPasswordToken]=token", "sort=margin"]) {
        const { status, body } = await asAda().get(`/api/my-orders?${query}`);
        expect(status, query).to.equal(400);
        expect(body.error.message, query).to.match(/^Invalid key (?:margin|resetPasswordToken)/);
      }
    });

    it("is what is published, searched as the code says", async () => {
      const reader = test.as([`${POST}.find`, `${ORDER}.find`]);
      const { body } = await reader.get("/api/searched-posts");
      expect(body.data.map(({ title }: { title: string }) => title)).to.deep.equal(["first"]);
    });

    it("is the same by the core service of the type, which gives code everything but what is private", async () => {
      expect(numbersOf((await asAda().get("/api/served-orders")).body)).to.deep.equal(["A-1"]);
      const rows = (await served().find()).rows();
      expect(rows.map(({ number }) => number)).to.deep.equal(["A-1", "E-1"]);
      for (const row of rows) expect(row).to.not.have.property("margin");
      const error = await served()
        .find({}, { visibility: "caller" })
        .catch((thrown: unknown) => thrown);
      expect(isPlinthError(error) && error.code).to.equal("PLINTH_ACCESS_NO_CALLER");
    });

    it("is the same in a service behind the generated endpoint, and in GraphQL by GET and by POST", async () => {
      const { body } = await test.as([`${POST}.find`]).get("/api/posts");
      expect(body.data.map(({ title }: { title: string }) => title)).to.deep.equal(["first"]);
      const query = "{ myOrders }";
      const byGet = await asAda().get(`/graphql?query=${encodeURIComponent(query)}`, {
        headers: { "apollo-require-preflight": "1" },
      });
      const byPost = await asAda().post("/graphql", { query });
      for (const { body } of [byGet, byPost]) {
        expect(body.errors, JSON.stringify(body)).to.equal(undefined);
        expect(numbersOf({ data: JSON.parse(body.data.myOrders) })).to.deep.equal(["A-1"]);
      }
    });

    it("and what they write keeps their rules", async () => {
      const [own, other] = await orders().findMany({ sort: "number", fields: ["number"] });
      const changed = await asAda().post(`/api/my-orders/${own?.documentId}`, { number: "A-1" });
      expect(changed.body.data).to.include({ number: "A-1" }).and.not.have.property("margin");
      const refused = await asAda().post(`/api/my-orders/${other?.documentId}`, { number: "mine" });
      expect(refused.body).to.deep.equal({ data: null });
      expect(await orders().count({ filters: { number: "mine" } })).to.equal(0);
    });

    it("is refused where there is no request, with what to do", async () => {
      for (const run of [
        () => orders().findMany({ visibility: "caller" }),
        () => orders().create({ data: { number: "X" }, visibility: "caller" }),
        () => orders().deleteMany({ documentIds: ["x"], visibility: "caller" }),
      ]) {
        const error = await run().catch((thrown: unknown) => thrown);
        expect(isPlinthError(error) && error.code).to.equal("PLINTH_ACCESS_NO_CALLER");
      }
      expect(await orders().count({ filters: { number: "X" } })).to.equal(0);
    });
  });
});
