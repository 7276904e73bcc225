import { createPlinth, type PlinthApp } from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { expect } from "chai";
import { serverDatabase } from "../../../databases.js";

type Attributes = Record<string, Record<string, unknown>>;
type Body = { readonly data: Record<string, unknown> & { readonly documentId: string } };

const HEADERS = { "content-type": "application/json", authorization: "Bearer a-token-of-the-test" };
const NEWS = "/api/articles";
const LOCALISED = { i18n: { localized: true } };

/** A component with links, which the new version has in one attribute more. */
const REFS = { type: "component", component: "shared.ref", repeatable: true, pluginOptions: LOCALISED };

/** What the old version knows. */
const OLD: Attributes = {
  title: { type: "string", pluginOptions: LOCALISED },
  seo: { type: "component", component: "shared.seo", pluginOptions: LOCALISED },
  refs: REFS,
  tone: { type: "string" },
  sharedRefs: { ...REFS, pluginOptions: {} },
};

/** What the new one knows besides: values, shared or not, links where there were none, components with unique values. */
const NEW: Attributes = {
  ...OLD,
  lead: { type: "text", pluginOptions: LOCALISED },
  code: { type: "string" },
  related: { type: "relation", relation: "manyToMany", target: "api::article.article", pluginOptions: LOCALISED },
  moreRefs: REFS,
  sharedMore: { ...REFS, pluginOptions: {} },
  badges: { type: "component", component: "shared.badge", repeatable: true, pluginOptions: LOCALISED },
};

/** The same app as it was and as it is. */
function version(database: object, kind: "old" | "new"): PlinthApp {
  const seo = { title: { type: "string" }, ...(kind === "new" ? { slug: { type: "string", unique: true } } : {}) };
  const app = {
    components: {
      "shared.seo": { info: { displayName: "Seo" }, attributes: seo },
      "shared.ref": {
        info: { displayName: "Ref" },
        attributes: { article: { type: "relation", relation: "oneToOne", target: "api::article.article" } },
      },
      ...(kind === "new"
        ? {
            "shared.badge": {
              info: { displayName: "Badge" },
              attributes: { number: { type: "integer", unique: true } },
            },
          }
        : {}),
    } as never,
    contentTypes: {
      "api::article.article": {
        kind: "collectionType",
        info: { singularName: "article", pluralName: "articles", displayName: "Article" },
        options: { draftAndPublish: true },
        pluginOptions: LOCALISED,
        attributes: (kind === "old" ? OLD : NEW) as never,
      },
    } as never,
  };
  return createPlinth({
    root: import.meta.dirname,
    plugins: [contentApiPlugin],
    app,
    config: {
      server: { port: 0, host: "127.0.0.1" },
      log: { level: "silent" },
      i18n: { defaultLocale: "en", locales: ["en", "fr"] },
      access: { tokens: { "a-token-of-the-test": "all" } },
      database,
    },
  });
}

describe("an old version beside a new one, which has added columns", () => {
  const database = serverDatabase();
  if (!database) return;
  let apps: PlinthApp[] = [];
  let old = "";
  let next = "";

  before("start the old version, then the new one", async () => {
    apps = [version(database.config(), "old"), version(database.config(), "new")];
    for (const app of apps) {
      const url = (await app.start()) ?? "";
      if (old === "") old = url;
      else next = url;
    }
    await heard();
  });
  after("stop them", () => Promise.all(apps.map((app) => app.stop())));

  const ask = async (url: string, method: string, path: string, data?: object): Promise<Body> => {
    const response = await fetch(`${url}${NEWS}${path}`, {
      method,
      headers: HEADERS,
      ...(data ? { body: JSON.stringify({ data }) } : {}),
    });
    const text = await response.text();
    expect(response.status, text).to.be.below(300);
    return text === "" ? ({ data: {} } as Body) : (JSON.parse(text) as Body);
  };
  const POPULATE = "populate[seo]=true&populate[badges]=true&populate[related][fields]=title";
  const both = async (documentId: string, locale = "en") => {
    const of = async (status: string) => {
      const { data } = await ask(next, "GET", `/${documentId}?status=${status}&locale=${locale}&${POPULATE}`);
      const { id: _id, publishedAt: _at, related, ...rest } = data as Record<string, unknown>;
      return { ...rest, related: (related as { documentId: string }[]).map((one) => one.documentId) };
    };
    return { draft: await of("draft"), published: await of("published") };
  };
  /** Another process hears of a change within milliseconds. */
  const heard = () => new Promise((resolve) => setTimeout(resolve, 300));
  const FULL = { title: "T", lead: "L", code: "c-1", seo: { title: "S", slug: "s-1" }, badges: [{ number: 1 }] };

  it("publishes all of a draft that the new version wrote, links included", async () => {
    const target = await ask(next, "POST", "?status=published", { title: "target" });
    const { data } = await ask(next, "POST", "?status=draft", { ...FULL, related: [target.data.documentId] });
    await ask(old, "PUT", `/${data.documentId}?status=published`, { title: "T2" });
    const { draft, published } = await both(data.documentId);
    expect(published).to.deep.equal(draft);
    expect(published).to.deep.include({ title: "T2", lead: "L", code: "c-1", related: [target.data.documentId] });
    expect(published["seo" as never]).to.include({ title: "S", slug: "s-1" });
  });

  it("keeps what it does not know of a component that it edits", async () => {
    const { data } = await ask(next, "POST", "?status=draft", { title: "edited", seo: { title: "S", slug: "kept" } });
    const { seo } = (await draftOf(data.documentId)) as unknown as { seo: { id: number } };
    await ask(old, "PUT", `/${data.documentId}?status=published`, { seo: { id: seo.id, title: "S2" } });
    const { published } = await both(data.documentId);
    expect(published["seo" as never]).to.include({ title: "S2", slug: "kept" });
  });
  const draftOf = async (documentId: string) =>
    (await ask(next, "GET", `/${documentId}?status=draft&${POPULATE}`)).data;

  it("starts a locale with all that locales share, and with nothing else", async () => {
    const { data } = await ask(next, "POST", "?status=draft", { ...FULL, code: "c-2", seo: null, badges: [] });
    await ask(old, "PUT", `/${data.documentId}?locale=fr&status=published`, { title: "Titre" });
    const { published } = await both(data.documentId, "fr");
    expect(published).to.deep.include({ title: "Titre", code: "c-2", lead: null });
  });

  it("keeps the links of components that it does not know, when it writes components or what locales share", async () => {
    const target = await ask(next, "POST", "?status=published", { title: "linked" });
    const article = target.data.documentId;
    const { data } = await ask(next, "POST", "?status=draft", { title: "en", moreRefs: [{ article }] });
    const path = `/${data.documentId}`;
    await ask(next, "PUT", `${path}?locale=fr&status=draft`, { title: "fr", moreRefs: [{ article }] });
    const links = async () => {
      const text =
        "select a.locale from articles a join articles_links l on l.source = a.id where a.document_id = $1 and l.target = $2 order by 1";
      const found = await apps[0]?.app.db.query<{ locale: string }>({ text, values: [data.documentId, article] });
      return found?.map(({ locale }) => locale);
    };
    expect(await links()).to.deep.equal(["en", "fr"]);
    await ask(old, "PUT", `${path}?status=draft`, { refs: [], sharedRefs: [] });
    await ask(old, "PUT", `${path}?locale=fr&status=draft`, { tone: "loud", refs: [{ article }] });
    await ask(old, "PUT", `${path}?locale=fr&status=draft`, { refs: [] });
    expect(await links()).to.deep.equal(["en", "fr"]);
  });

  it("starts a locale with the links of components that it does not know", async () => {
    const target = await ask(next, "POST", "?status=published", { title: "of all locales" });
    const article = target.data.documentId;
    const { data } = await ask(next, "POST", "?status=draft", { title: "en", sharedMore: [{ article }] });
    await ask(old, "PUT", `/${data.documentId}?locale=fr&status=draft`, { title: "fr" });
    const text =
      "select a.locale from articles a join articles_links l on l.source = a.id where a.document_id = $1 and l.target = $2 order by 1";
    const found = await apps[0]?.app.db.query<{ locale: string }>({ text, values: [data.documentId, article] });
    expect(found?.map(({ locale }) => locale)).to.deep.equal(["en", "fr"]);
  });

  it("claims unique values inside components that it does not know", async () => {
    const first = await ask(next, "POST", "?status=draft", { title: "a", badges: [{ number: 7 }] });
    await ask(old, "PUT", `/${first.data.documentId}?status=published`, { title: "a2" });
    const response = await fetch(`${next}${NEWS}?status=published`, {
      method: "POST",
      headers: HEADERS,
      body: JSON.stringify({ data: { title: "b", badges: [{ number: 7 }] } }),
    });
    expect(response.status).to.equal(400);
    expect(await response.text()).to.include("unique");
  });

  it("unpublishes and discards without losing anything, and completes drafts of an import", async () => {
    const { data } = await ask(next, "POST", "?status=published", { title: "whole", lead: "kept" });
    const { app } = apps[0] as PlinthApp;
    const documents = app.documents("api::article.article") as unknown as Record<
      string,
      (params: object) => Promise<unknown>
    >;
    await app.db.query({
      text: "update articles set lead = 'draft only' where title = 'whole' and published_at is null",
      values: [],
    });
    await documents["discardDraft"]?.({ documentId: data.documentId });
    expect((await draftOf(data.documentId))["lead"]).to.equal("kept");
    await app.db.query({ text: "delete from articles where title = 'whole' and published_at is null", values: [] });
    await app.loader.completeDrafts("api::article.article");
    expect((await draftOf(data.documentId))["lead"]).to.equal("kept");
    await app.db.query({ text: "delete from articles where title = 'whole' and published_at is null", values: [] });
    await documents["unpublish"]?.({ documentId: data.documentId });
    expect((await draftOf(data.documentId))["lead"]).to.equal("kept");
  });

  it("starts again although the tables are newer, and changes nothing in them", async () => {
    const tables = () => apps[1]?.app.db.query({ text: "select hash from plinth_schema", values: [] });
    const before = await tables();
    await apps[0]?.stop();
    apps[0] = version(database.config(), "old");
    old = (await apps[0].start()) ?? "";
    expect(await tables()).to.deep.equal(before);
    const { data } = await ask(next, "POST", "?status=draft", { title: "restarted", lead: "L" });
    await ask(old, "PUT", `/${data.documentId}?status=published`, { title: "restarted 2" });
    expect((await both(data.documentId)).published).to.deep.include({ title: "restarted 2", lead: "L" });
  });
});
