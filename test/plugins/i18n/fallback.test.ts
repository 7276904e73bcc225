import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { LIBRARY_CONFIG, library } from "./library.js";
import { serveLocales } from "./serve-locales.js";

interface Row {
  readonly documentId: string;
  readonly locale: string;
  readonly title: string;
}

/** Which locales the nth book is in: every set of the four. */
const LOCALES = ["en", "de", "it", "fr"] as const;
const localesOf = (n: number) => LOCALES.filter((_locale, bit) => (n & (1 << bit)) !== 0);
const BOOKS = 15;
/** The order of titles is another in every locale. */
const titleOf = (n: number, locale: string) => `${(n * 7 + locale.charCodeAt(0)) % BOOKS} ${n} ${locale}`;

eitherDatabase(import.meta.url, (database) => {
  describe("books in some of four locales", () => {
    const app = serveLocales(database, { app: library, config: LIBRARY_CONFIG });
    const ids: string[] = [];

    before("write them", async () => {
      const books = app().plinth.app.documents("api::book.book");
      for (let n = 1; n <= BOOKS; n += 1) {
        const [first = "en", ...others] = localesOf(n);
        const data = (locale: string) => ({ title: titleOf(n, locale), pages: n });
        const { documentId } = await books.create({ locale: first, data: data(first), status: "published" });
        for (const locale of others)
          await books.update({ documentId, locale, data: data(locale), status: "published" });
        ids.push(documentId);
      }
    });

    /** What a reader of some locales sees: of each book its version in the first of them. */
    const expected = (chain: readonly string[]) =>
      ids.flatMap((documentId, index) => {
        const locale = chain.find((code) => (localesOf(index + 1) as readonly string[]).includes(code));
        return locale === undefined ? [] : [{ documentId, locale, title: titleOf(index + 1, locale) }];
      });
    const byTitle = (a: Row, b: Row) => (a.title < b.title ? -1 : 1);
    const get = async (query: string) => (await app().content("GET", `/books?${query}`)).body;
    const seen = (rows: readonly Row[]) => rows.map(({ documentId, locale, title }) => ({ documentId, locale, title }));

    for (const chain of [
      ["fr", "de", "en"],
      ["de", "it"],
      ["it", "fr", "en", "de"],
      ["en", "fr"],
    ]) {
      const [locale, ...others] = chain;
      const query = `locale=${locale}&fallbackLocale=${others.join(",")}`;

      it(`come in the first of ${chain.join(", ")} that they are in, in order, page by page`, async () => {
        const all = expected(chain).sort(byTitle);
        const pages: Row[] = [];
        for (let page = 1; page <= Math.ceil(all.length / 4); page += 1) {
          const { data, meta } = await get(`${query}&sort=title&pagination[pageSize]=4&pagination[page]=${page}`);
          expect(meta.pagination.total).to.equal(all.length);
          pages.push(...data);
        }
        expect(seen(pages)).to.deep.equal(all);
        const backwards = await get(`${query}&sort=title:desc&status=draft`);
        expect(seen(backwards.data)).to.deep.equal([...all].reverse());
        const bySeveral = await get(`${query}&sort[0]=pages:desc&sort[1]=title`);
        expect(seen(bySeveral.data)).to.deep.equal(expected(chain).reverse());
        expect(seen((await get(query)).data)).to.have.deep.members(all);
      });

      it(`are found one by one and counted the same way by code in ${chain.join(", ")}`, async () => {
        const books = app().plinth.app.documents("api::book.book");
        const params = { locale: locale ?? "", fallbackLocale: others, status: "published" } as const;
        expect(await books.count(params)).to.equal(expected(chain).length);
        for (const [index, documentId] of ids.entries()) {
          const wanted = expected(chain).find((row) => row.documentId === documentId);
          const found = (await books.findOne({ documentId, ...params })) as unknown as Row | null;
          expect(found && seen([found])[0], String(index + 1)).to.deep.equal(wanted ?? null);
          const answer = await app().content("GET", `/books/${documentId}?${query}`);
          expect([answer.status, answer.body.data?.locale]).to.deep.equal([wanted ? 200 : 404, wanted?.locale]);
        }
      });
    }

    it("a filter looks at the version that is shown, not at one that another stands before", async () => {
      const chain = ["fr", "de", "en"];
      const query = "locale=fr&fallbackLocale=de,en";
      const { data, meta } = await get(`${query}&filters[title][$endsWith]=en`);
      const wanted = expected(chain).filter(({ title }) => title.endsWith("en"));
      expect(seen(data)).to.have.deep.members(wanted);
      expect(meta.pagination.total).to.equal(wanted.length);
      expect((await get(`${query}&_q=${encodeURIComponent(titleOf(15, "en"))}`)).data).to.deep.equal([]);
      expect((await get(`${query}&_q=${encodeURIComponent(titleOf(15, "fr"))}`)).data).to.have.lengthOf(1);
    });

    it("the locale's own fallback holds where the request says nothing, and none or nothing turns it off", async () => {
      const own = expected(["fr", "de", "en"]);
      expect(seen((await get("locale=fr")).data)).to.have.deep.members(own);
      for (const off of ["none", ""])
        expect(seen((await get(`locale=fr&fallbackLocale=${off}`)).data), off).to.have.deep.members(expected(["fr"]));
      const other = await get("locale=fr&fallbackLocale[]=it&fallbackLocale[]=en");
      expect(seen(other.data)).to.have.deep.members(expected(["fr", "it", "en"]));
      expect(seen((await get("")).data)).to.have.deep.members(expected(["en"]));
      expect((await get("locale=*&pagination[pageSize]=100")).data).to.have.lengthOf(32);
    });

    it("a fallback that cannot be meant is refused: unknown, of another form, beside a star, on a write", async () => {
      const refused: [string, string, string][] = [
        ["GET", "/books?fallbackLocale=en,xx", "PLINTH_QUERY_UNKNOWN_FALLBACK"],
        ["GET", "/books?fallbackLocale=*", "PLINTH_QUERY_UNKNOWN_FALLBACK"],
        ["GET", "/books?fallbackLocale[a]=en", "PLINTH_QUERY_INVALID_SHAPE"],
        ["GET", "/books?fallbackLocale[0][0]=en", "PLINTH_QUERY_INVALID_SHAPE"],
        ["GET", `/books?fallbackLocale=${"en,".repeat(11)}en`, "PLINTH_QUERY_INVALID_SHAPE"],
        ["GET", "/books?locale=*&fallbackLocale=en", "PLINTH_QUERY_FALLBACK_OF_ALL"],
        ["GET", "/shelves?fallbackLocale=xx", "PLINTH_QUERY_UNKNOWN_FALLBACK"],
        ["POST", "/books?fallbackLocale=en", "PLINTH_REST_FALLBACK_ON_WRITE"],
        ["PUT", `/books/${ids[0]}?fallbackLocale=en`, "PLINTH_REST_FALLBACK_ON_WRITE"],
        ["DELETE", `/books/${ids[0]}?fallbackLocale=en`, "PLINTH_REST_FALLBACK_ON_WRITE"],
        ["POST", `/books/${ids[0]}/actions/publish?fallbackLocale=en`, "PLINTH_REST_FALLBACK_ON_WRITE"],
      ];
      for (const [method, path, code] of refused) {
        const { status, body } = await app().content(method, path, method === "GET" ? undefined : { data: {} });
        expect([status, body.error?.code], `${method} ${path}`).to.deep.equal([400, code]);
      }
    });

    it("a locale that the app does not have finds what stands in for it", async () => {
      expect(seen((await get("locale=xx&fallbackLocale=it")).data)).to.have.deep.members(expected(["it"]));
      expect((await get("locale=xx")).data).to.deep.equal([]);
    });

    it("a write is about its own locale only, and answers with it", async () => {
      const [documentId] = ids;
      const publish = await app().content("POST", `/books/${documentId}/actions/publish?locale=fr`);
      expect(publish.status).to.equal(404);
      const written = await app().content("PUT", `/books/${documentId}?locale=fr&status=draft`, {
        data: { title: "x" },
      });
      expect(written.body.data).to.include({ locale: "fr", title: "x" });
      expect((await app().content("GET", `/books/${documentId}?locale=fr`)).body.data.locale).to.equal("en");
      expect((await app().content("GET", `/books/${documentId}?locale=fr&status=draft`)).body.data.locale).to.equal(
        "fr",
      );
      await app().content("DELETE", `/books/${documentId}?locale=fr`);
    });
  });
});

eitherDatabase(import.meta.url, (database) => {
  describe("what books with a fallback lead to", () => {
    const app = serveLocales(database, { app: library, config: LIBRARY_CONFIG });
    const make = async (uid: string, versions: Readonly<Record<string, object>>): Promise<string> => {
      const documents = app().plinth.app.documents(uid);
      const [[first, data] = ["en", {}], ...others] = Object.entries(versions);
      const { documentId } = await documents.create({ locale: first, data: { ...data }, status: "published" });
      for (const [locale, more] of others)
        await documents.update({ documentId, locale, data: { ...more }, status: "published" });
      return documentId;
    };
    const one = async (path: string) => (await app().content("GET", path)).body.data;
    let german: string;
    let both: string;
    let writer: string;

    before("write a German book, one in French too, and who wrote them", async () => {
      writer = await make("api::writer.writer", { en: { name: "Frank" }, fr: { name: "François" } });
      const other = await make("api::writer.writer", { de: { name: "Heidi" } });
      const keeper = await make("api::writer.writer", { de: { name: "Otto" } });
      const shelf = await make("api::shelf.shelf", { en: { label: "A" } });
      german = await make("api::book.book", { de: { title: "Wüste", writer, shelf } });
      both = await make("api::book.book", {
        en: { title: "Sea", writer: other },
        fr: { title: "Mer", writer: other, shelf, sequels: [german] },
      });
      const display = [
        { __type: "api::book.book", documentId: german },
        { __type: "api::writer.writer", documentId: writer },
      ];
      await app().plinth.app.documents("api::shelf.shelf").update({ documentId: shelf, data: { keeper, display } });
    });

    it("comes in the locale that was asked for where it has that, each saying its own", async () => {
      const book = await one(`/books/${german}?locale=fr&populate=*`);
      expect([book.locale, book.writer.locale, book.writer.name]).to.deep.equal(["de", "fr", "François"]);
      const french = await one(`/books/${both}?locale=fr&populate[writer]=true&populate[sequels][populate]=writer`);
      expect([french.locale, french.writer.locale, french.writer.name]).to.deep.equal(["fr", "de", "Heidi"]);
      expect(french.sequels.map(({ title, locale }: Row) => [title, locale])).to.deep.equal([["Wüste", "de"]]);
      expect(french.sequels[0].writer).to.include({ locale: "fr", name: "François" });
      const off = await one(`/books/${both}?locale=fr&fallbackLocale=none&populate=*`);
      expect([off.writer, off.sequels]).to.deep.equal([null, []]);
      const counted = await one(`/books/${both}?locale=fr&populate[sequels][count]=true`);
      expect(counted.sequels).to.deep.equal({ count: 1 });
    });

    it("is what filters and sorts look at", async () => {
      const titles = async (query: string) =>
        ((await app().content("GET", `/books?${query}`)).body.data as Row[]).map(({ title }) => title);
      expect(await titles("locale=fr&filters[writer][name]=François")).to.deep.equal(["Wüste"]);
      expect(await titles("locale=fr&filters[writer][name]=Frank")).to.deep.equal([]);
      expect(await titles("locale=fr&filters[writer][name]=Heidi")).to.deep.equal(["Mer"]);
      expect(await titles("locale=fr&fallbackLocale=none&filters[writer][name]=Heidi")).to.deep.equal([]);
      expect(await titles("locale=fr&sort=writer.name")).to.deep.equal(["Wüste", "Mer"]);
      expect(await titles("locale=fr&sort=writer.name:desc")).to.deep.equal(["Mer", "Wüste"]);
      expect(await titles("locale=fr&filters[sequels][title]=Wüste")).to.deep.equal(["Mer"]);
    });

    it("comes from the other side as well, each book once", async () => {
      const { books } = await one(`/writers/${writer}?locale=fr&populate=books`);
      expect(books.map(({ title, locale }: Row) => [title, locale])).to.deep.equal([["Wüste", "de"]]);
    });

    it("comes from types without locales by the fallback of the request, polymorphic targets too", async () => {
      const shelf = async (query: string) => {
        const [found] = await one(
          `/shelves?populate[keeper]=true&populate[display][on][api::book.book]=true&populate[display][on][api::writer.writer]=true&${query}`,
        );
        return [
          found.keeper?.name,
          found.display.map((item: { title?: string; name?: string }) => item.title ?? item.name),
        ];
      };
      expect(await shelf("")).to.deep.equal([undefined, ["Frank"]]);
      expect(await shelf("fallbackLocale=de")).to.deep.equal(["Otto", ["Wüste", "Frank"]]);
    });

    it("the other locales of a book are all of them", async () => {
      const book = await one(`/books/${both}?locale=it&fallbackLocale=fr&populate=localizations`);
      expect([book.locale, book.localizations.map(({ locale }: Row) => locale)]).to.deep.equal(["fr", ["en"]]);
    });

    it("the ETag is that of the version that answers", async () => {
      const tag = async (query: string) =>
        (await app().content("GET", `/books/${german}?${query}`)).headers.get("etag");
      expect(await tag("locale=fr")).to.equal(await tag("locale=de"));
      const before = await tag("locale=fr");
      await app().content("PUT", `/books/${german}?locale=fr`, { data: { title: "Désert" } });
      expect(await tag("locale=fr")).to.not.equal(before);
    });
  });
});
