import { expect } from "chai";
import type { Documents } from "#core/documents/documents.js";
import { aroundOperation, transformInput, transformOutput, writeHooks } from "#core/documents/hooks.js";
import { HookNoReturnError } from "#core/kernel/errors.js";
import { eachDatabase } from "../../../databases.js";
import { failureOf, type Newsroom, openNewsroom, uid } from "./newsroom.js";

const owner = "test";

describe("hooks of documents", () => {
  eachDatabase((database) => {
    let newsroom: Newsroom;
    let articles: Documents;
    const calls: string[] = [];
    const seen = () => calls.splice(0);
    const created: unknown[] = [];
    before(async () => {
      newsroom = await openNewsroom(await database.connect(), (hooks) => {
        for (const [write, stages] of Object.entries(writeHooks)) {
          for (const [stage, target] of Object.entries(stages)) {
            hooks.tap(
              target as (typeof writeHooks)["create"]["before"],
              (event) => {
                if (event.uid === uid("article"))
                  calls.push(`${stage} ${write}${event.documents ? ` ${event.documents.length}` : ""}`);
                if (event.data?.["title"] === `fail ${stage} ${write}`)
                  throw new HookNoReturnError({ hook: target.name, owner });
              },
              { owner },
            );
          }
        }
        hooks.tap(writeHooks.create.on, ({ locales, otherLocales }) => void created.push([locales, otherLocales]), {
          owner,
        });
        hooks.tap(
          aroundOperation,
          async ({ uid: type, operation }, next) => {
            const result = await next();
            return type === uid("setting") && operation === "count" ? 42 : result;
          },
          { owner },
        );
        hooks.tap(
          transformInput,
          (data, { uid: type }) => (type === uid("tag") ? { ...data, name: `${data["name"]}!` } : data),
          { owner },
        );
        hooks.tap(
          transformOutput(uid("author")),
          (author) => ({ ...author, shout: String(author["name"]).toUpperCase() }),
          { owner },
        );
      });
      articles = newsroom.documents(uid("article"));
    });

    it("each write passes its stages in order, the last one after the commit", async () => {
      const { documentId } = await articles.create({ data: { title: "t" }, status: "published" });
      expect(seen()).to.deep.equal([
        "before create",
        "ahead create",
        "before publish",
        "ahead publish",
        "along create",
        "along publish",
        "after create 1",
        "after publish 1",
        "on create 1",
        "on publish 1",
      ]);
      await articles.update({ documentId, data: { title: "u" } });
      expect(seen()).to.deep.equal(["before update", "ahead update", "along update", "after update 1", "on update 1"]);
      await articles.discardDraft({ documentId });
      await articles.unpublish({ documentId });
      await articles.delete({ documentId });
      expect(seen()).to.deep.equal([
        ...[
          "before discardDraft",
          "ahead discardDraft",
          "along discardDraft",
          "after discardDraft 1",
          "on discardDraft 1",
        ],
        ...["before unpublish", "ahead unpublish", "along unpublish", "after unpublish 1", "on unpublish 1"],
        ...["before delete", "ahead delete", "along delete", "after delete 1", "on delete 1"],
      ]);
    });

    it("a create is of a new document, or names the other languages of one that is there", async () => {
      const pages = newsroom.documents(uid("page"));
      created.length = 0;
      const { documentId } = await pages.create({ data: { title: "One" } });
      await pages.update({ documentId, locale: "fr", data: { title: "Un" } });
      const other = await pages.create({ locale: "fr", data: { title: "Deux" } });
      await pages.create({ documentId: other.documentId, data: { title: "Two" } });
      expect(created).to.deep.equal([
        [["en"], undefined],
        [["fr"], ["en"]],
        [["fr"], undefined],
        [["en"], ["fr"]],
      ]);
    });

    it("a handler that throws before or after a write undoes it, and nobody is told", async () => {
      const before = await articles.count();
      for (const stage of ["before create", "ahead create", "along create", "after create"]) {
        await failureOf(articles.create({ data: { title: `fail ${stage}` } }));
        expect(seen().filter((call) => call.startsWith("on"))).to.deep.equal([]);
      }
      expect(await articles.count()).to.equal(before);
    });

    it("a write that its transaction takes back is not told", async () => {
      const work = newsroom.db.transaction(async () => {
        await articles.create({ data: { title: "t" } });
        await articles.create({ data: { title: 1 } });
      });
      await failureOf(work);
      expect(seen()).to.deep.equal(["before create", "ahead create", "along create", "after create 1"]);
    });

    it("data can be changed before they are checked, and an operation be answered by who stands around it", async () => {
      expect(await newsroom.documents(uid("tag")).create({ data: { name: "a" } })).to.include({ name: "a!" });
      expect(await newsroom.documents(uid("setting")).count()).to.equal(42);
    });

    it("an output hook sees its type wherever it is returned", async () => {
      const author = await newsroom.documents(uid("author")).create({ data: { name: "Ada" } });
      expect(author).to.include({ shout: "ADA" });
      const article = await articles.create({
        data: {
          title: "t",
          author: author.documentId,
          sections: [{ __component: "sections.quote", text: "q", author: author.id }],
        },
        populate: { author: true, sections: { populate: "*" } },
      });
      expect(article["author"]).to.include({ shout: "ADA" });
      expect((article["sections"] as { author: unknown }[])[0]?.author).to.include({ shout: "ADA" });
      expect(article).not.to.have.property("shout");
    });
  });
});
