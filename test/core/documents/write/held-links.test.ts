/** Tests of the link rows of components in documents with several locales. */
import { expect } from "chai";
import type { Database } from "#core/database/driver/database.js";
import { readSnapshot } from "#core/database/sync/snapshot.js";
import type { Documents } from "#core/documents/documents.js";
import { embeddedLinks } from "#core/documents/write/embedded-links.js";
import { buildModel } from "#core/schema/build-model.js";
import type { RawAttribute } from "#core/schema/raw.js";
import { eachDatabase } from "../../../databases.js";
import { openNewsroom, uid } from "./newsroom.js";

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };
const to = (relation: string): RawAttribute => ({ type: "relation", relation, target: uid("tag") });
const component = (name: string, more: RawAttribute = {}): RawAttribute => ({
  type: "component",
  component: `shared.${name}`,
  ...more,
});
const zone = (more: RawAttribute = {}): RawAttribute => ({
  type: "dynamiczone",
  components: ["shared.ref", "shared.card"],
  ...more,
});

const model = buildModel({
  contentTypes: [
    {
      uid: uid("page"),
      info: { singularName: "page", pluralName: "pages" },
      options: { draftAndPublish: true },
      ...LOCALIZED,
      attributes: {
        title: { type: "string", ...LOCALIZED },
        refs: component("ref", { repeatable: true, ...LOCALIZED }),
        card: component("card", LOCALIZED),
        zone: zone(LOCALIZED),
        sharedRefs: component("ref", { repeatable: true }),
        sharedCard: component("card"),
        sharedZone: zone(),
      },
    },
    { uid: uid("tag"), info: { singularName: "tag", pluralName: "tags" }, attributes: { name: { type: "string" } } },
  ],
  components: [
    {
      uid: "shared.ref",
      attributes: {
        tag: to("oneToOne"),
        tags: to("oneToMany"),
        subject: { type: "relation", relation: "morphToOne" },
      },
    },
    {
      uid: "shared.card",
      attributes: { label: { type: "string" }, ref: component("ref"), refs: component("ref", { repeatable: true }) },
    },
  ],
  locales: ["en", "fr", "de"],
});
const pageType = model.contentTypes.get(uid("page"));

/** The same numbers in each run: `next(n)` is from 0 to n - 1. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe("the link rows of components", () => {
  eachDatabase((database) => {
    let db: Database;
    let pages: Documents;
    let tags: Documents;
    let codes: Readonly<Record<string, number>>;
    const tagIds: string[] = [];
    before(async () => {
      db = await database.connect();
      const newsroom = await openNewsroom(db, undefined, model);
      pages = newsroom.documents(uid("page"));
      tags = newsroom.documents(uid("tag"));
      codes = (await readSnapshot(db))?.snapshot.tables["pages"]?.codes ?? {};
      for (let tag = 0; tag < 5; tag += 1)
        tagIds.push((await tags.create({ data: { name: `t${tag}` } })).documentId as string);
    });

    const query = (text: string) => db.query<Record<string, unknown>>({ text, values: [] });
    /** `page locale status: attribute target type` for each link row of a component. */
    const present = async () => {
      const embedded = Object.entries(codes).filter(([key]) => key.includes("#"));
      const names = new Map(embedded.map(([key, code]) => [code, key]));
      const rows = await query(
        "select p.document_id, p.locale, p.published_at is null as draft, l.* from pages_links l join pages p on p.id = l.source",
      );
      return rows
        .filter((row) => names.has(Number(row["attribute"])))
        .map(
          (row) => `${versionOf(row)}: ${names.get(Number(row["attribute"]))} ${row["target"]} ${row["target_type"]}`,
        )
        .toSorted();
    };
    /** The same, of what the stored components hold: links to tags that are there. */
    const held = async () => {
      const there = new Set((await query("select document_id from tags")).map((row) => row["document_id"]));
      const rows = await query("select document_id, locale, published_at is null as draft, p.* from pages p");
      const found = rows.flatMap((row) =>
        [...(pageType?.attributes.values() ?? [])].flatMap((attribute) =>
          attribute.kind === "component" || attribute.kind === "dynamiczone"
            ? embeddedLinks(model, attribute, row[attribute.column]).map(
                ({ key, documentId, type }) => [documentId, `${versionOf(row)}: ${key} ${documentId} ${type}`] as const,
              )
            : [],
        ),
      );
      return [...new Set(found.flatMap(([target, text]) => (there.has(target) ? [text] : [])))].toSorted();
    };
    const versionOf = (row: Record<string, unknown>) =>
      `${row["document_id"]} ${row["locale"]} ${row["draft"] ? "draft" : "published"}`;

    it("of one locale are not those of another, where components are not shared", async () => {
      const [x, y] = tagIds;
      const { documentId } = await pages.create({ data: { refs: [{ tag: x }] }, status: "published" });
      await pages.update({ documentId, locale: "fr", data: { refs: [{ tag: y }] }, status: "published" });
      await pages.publish({ documentId });
      const rowsOf = async () => (await present()).map((row) => row.replace(`${documentId} `, ""));
      expect(await rowsOf()).to.have.members([
        `en draft: shared.ref#tag ${x} `,
        `en published: shared.ref#tag ${x} `,
        `fr draft: shared.ref#tag ${y} `,
        `fr published: shared.ref#tag ${y} `,
      ]);
      await pages.update({ documentId, data: { refs: [], sharedCard: { ref: { tag: y } } }, status: "published" });
      await pages.update({ documentId, locale: "fr", data: { sharedCard: null }, status: "published" });
      expect(await rowsOf()).to.have.members([`fr draft: shared.ref#tag ${y} `, `fr published: shared.ref#tag ${y} `]);
    });

    for (const seed of [1, 2, 3])
      it(`are those that the stored components hold after any writes (${seed})`, async () => {
        const next = numbers(seed);
        const some = <Item>(list: readonly Item[]): Item => list[next(list.length)] as Item;
        const times = <Item>(most: number, make: () => Item): Item[] => Array.from({ length: next(most + 1) }, make);
        const ref = () => ({
          ...(next(2) ? { tag: some(tagIds) } : {}),
          ...(next(2) ? { tags: times(2, () => some(tagIds)) } : {}),
          ...(next(3) ? {} : { subject: { documentId: some(tagIds), __type: uid("tag") } }),
        });
        const card = () => ({ label: "l", ...(next(2) ? { ref: ref() } : {}), refs: times(2, ref) });
        const item = () =>
          next(2) ? { __component: "shared.ref", ...ref() } : { __component: "shared.card", ...card() };
        const values: Readonly<Record<string, () => unknown>> = {
          title: () => `title ${next(9)}`,
          refs: () => times(2, ref),
          sharedRefs: () => times(2, ref),
          card: () => (next(3) ? card() : null),
          sharedCard: () => (next(3) ? card() : null),
          zone: () => times(2, item),
          sharedZone: () => times(2, item),
        };
        const data = () =>
          Object.fromEntries(Object.entries(values).flatMap(([name, make]) => (next(3) ? [] : [[name, make()]])));
        const documents: string[] = [];
        for (let made = 0; made < 2; made += 1)
          documents.push((await pages.create({ data: data(), locale: some(["en", "fr"]) })).documentId as string);
        const writes: Readonly<Record<string, () => Promise<unknown>>> = {
          update: () =>
            pages.update({
              documentId: some(documents),
              locale: some(["en", "fr", "de"]),
              data: data(),
              status: some(["draft", "published"] as const),
            }),
          publish: () => pages.publish({ documentId: some(documents), locale: some(["*", "en", "fr"]) }),
          discard: () => pages.discardDraft({ documentId: some(documents), locale: some(["*", "en", "de"]) }),
          unpublish: () => pages.unpublish({ documentId: some(documents), locale: some(["en", "fr"]) }),
          remove: () => pages.delete({ documentId: some(documents), locale: "de" }),
        };
        const order = ["update", "update", "update", "update", "publish", "discard", "unpublish", "remove"];
        for (let done = 0; done < 60; done += 1) {
          const name = some(order);
          await writes[name]?.();
          expect(await present(), `after ${done + 1} writes, the last a ${name}`).to.deep.equal(await held());
        }
        expect(await held()).to.not.deep.equal([]);
        const gone = tagIds.pop() as string;
        await tags.delete({ documentId: gone });
        tagIds.push((await tags.create({ data: { name: "again" } })).documentId as string);
        for (const documentId of documents)
          for (const locale of ["en", "fr", "de"]) await pages.update({ documentId, locale, data: { sharedRefs: [] } });
        await pages.publish({ documentId: documents[0] as string, locale: "*" });
        expect(await present(), "after a tag was deleted").to.deep.equal(await held());
      });
  });
});
