import { expect } from "chai";
import { entryTitle } from "#plugins/admin/client/app/entry-title.js";

describe("how a document is called", () => {
  const home = { kind: "singleType", label: "Home page" } as const;
  const article = { kind: "collectionType", label: "Article" } as const;

  it("is its title, and its type's name for a single page that has none", () => {
    expect(entryTitle(home, { documentId: "abc", title: "Welcome" })).to.equal("Welcome");
    expect(entryTitle(home, { documentId: "abc", title: "abc" })).to.equal("Home page");
    expect(entryTitle(article, { documentId: "abc", title: "abc" })).to.equal("abc");
    expect(entryTitle(undefined, { documentId: "abc", title: "abc" })).to.equal("abc");
  });
});
