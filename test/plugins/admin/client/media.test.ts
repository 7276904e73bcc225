import { expect } from "chai";
import { changedValues } from "#plugins/admin/client/form/take-stored.js";
import { parseMediaSearch } from "#plugins/admin/client/app/media-search.js";
import { areaOf, cropOf } from "#plugins/admin/client/screens/media/cut-area.js";
import { freshUrl } from "#plugins/admin/client/screens/media/file-kind.js";
import { FolderTree } from "#plugins/admin/client/screens/media/folder-tree.js";
import type { LibraryFile } from "@plinth/plugin-admin";

const folder = (documentId: string, parent: string | null = null) => ({
  ...{ id: 1, documentId, name: documentId.toUpperCase(), parent, files: 0 },
});
const ids = (folders: readonly { readonly documentId: string }[]) => folders.map(({ documentId }) => documentId);

describe("the screen of files", () => {
  it("keeps what was typed of a file while its save was on its way", () => {
    const sent = { caption: "Three", alternativeText: "Boats", focalPoint: { x: 1, y: 2 } };
    const typed = { ...sent, focalPoint: { x: 1, y: 2 }, caption: "Three boats", name: "boats.png" };
    expect(changedValues(typed, sent)).to.deep.equal({ caption: "Three boats", name: "boats.png" });
    expect(changedValues(sent, sent)).to.deep.equal({});
  });

  it("orders folders by where they lie, and shows one whose parent is hidden at the top", () => {
    const tree = new FolderTree([folder("a"), folder("b", "a"), folder("c", "b"), folder("d", "hidden")]);
    expect(ids(tree.childrenOf(null))).to.deep.equal(["a", "d"]);
    expect(ids(tree.pathTo("c"))).to.deep.equal(["a", "b", "c"]);
    expect(ids(tree.pathTo(undefined))).to.deep.equal([]);
    expect(tree.listed().map(({ folder: { documentId }, depth }) => [documentId, depth])).to.deep.equal([
      ["a", 0],
      ["b", 1],
      ["c", 2],
      ["d", 0],
    ]);
  });

  it("offers a folder that is moved neither itself nor what is in it", () => {
    const tree = new FolderTree([folder("a"), folder("b", "a"), folder("c", "b"), folder("d")]);
    expect(ids(tree.listed("b").map(({ folder: listed }) => listed))).to.deep.equal(["a", "d"]);
  });

  it("keeps in its address what it understands, and nothing else", () => {
    const search = { folder: "abc123", q: "ship", type: "images", sort: "name:asc", view: "list", file: "def456" };
    expect(parseMediaSearch({ ...search, other: 1 })).to.deep.equal(search);
    const wrong = { folder: "../x", q: "", type: "pictures", sort: "hash:asc", view: "tree", file: 5 };
    expect(parseMediaSearch(wrong)).to.deep.equal({});
  });

  it("cuts whole pixels inside of the picture, whatever is typed", () => {
    const size = { width: 301, height: 200 };
    expect(areaOf({ unit: "%", x: 0, y: 0, width: 100, height: 100 }, size)).to.deep.equal({ x: 0, y: 0, ...size });
    const typed = { x: 290, y: Number.NaN, width: 500, height: 0 };
    const area = areaOf(cropOf(typed, size), size);
    expect(area).to.deep.equal({ x: 290, y: 0, width: 11, height: 1 });
  });

  it("asks for a replaced file anew, and leaves a signed url as it is", () => {
    const file = { url: "/uploads/a.png", updatedAt: "2026-01-01T00:00:00.000Z" } as LibraryFile;
    expect(freshUrl(file)).to.equal("/uploads/a.png?v=1767225600000");
    expect(freshUrl({ ...file, url: "https://files.example.com/a.png?signature=1" })).to.match(/signature=1$/);
  });
});
