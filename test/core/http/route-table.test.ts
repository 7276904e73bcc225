import { expect } from "chai";
import { RouteTable } from "../../../core/src/http/route-table.js";

function tableOf(...paths: readonly string[]): RouteTable<string> {
  const table = new RouteTable<string>();
  for (const path of paths) table.add("GET", path, path);
  return table;
}

describe("route table", () => {
  it("gives parameters decoded, under the names of the route that was found", () => {
    const table = new RouteTable<string>();
    table.add("GET", "/a/:documentId", "get");
    table.add("PUT", "/a/:id", "put");
    expect(table.find("GET", "/a/x%20y%2Fz")).to.deep.include({ value: "get" });
    expect({ ...table.find("GET", "/a/x%20y%2Fz")?.params }).to.deep.equal({ documentId: "x y/z" });
    expect({ ...table.find("PUT", "/a/7")?.params }).to.deep.equal({ id: "7" });
  });

  it("prefers a literal segment to a parameter, in whatever order they were added", () => {
    expect(tableOf("/a/:id", "/a/new").find("GET", "/a/new")?.value).to.equal("/a/new");
    expect(tableOf("/a/new", "/a/:id").find("GET", "/a/newer")?.value).to.equal("/a/:id");
  });

  it("goes back to the parameter when the literal branch ends without a route", () => {
    const table = tableOf("/a/:id/links", "/a/new/form");
    expect({ ...table.find("GET", "/a/new/links")?.params }).to.deep.equal({ id: "new" });
    expect(table.find("GET", "/a/new/other")).to.equal(undefined);
  });

  it("takes another method from the parameter's branch, and knows the methods of both", () => {
    const table = tableOf("/a/new");
    table.add("DELETE", "/a/:id", "delete");
    expect(table.find("DELETE", "/a/new")?.value).to.equal("delete");
    expect([...table.methodsOf("/a/new")].sort()).to.deep.equal(["DELETE", "GET"]);
    expect([...table.methodsOf("/b")]).to.deep.equal([]);
  });

  it("keeps the first of two routes with one method and one shape of path", () => {
    const table = tableOf("/a/:slug");
    expect(table.add("GET", "/a/:id", "second")).to.equal(false);
    expect(table.find("GET", "/a/x")?.value).to.equal("/a/:slug");
  });

  it("minds neither letter case nor one trailing slash, but empty segments", () => {
    const table = tableOf("/api/articles", "/api/articles/:id", "/");
    for (const path of ["/API/Articles", "/api/articles/"])
      expect(table.find("GET", path)?.value).to.equal("/api/articles");
    for (const path of ["/api//articles", "/api/articles//", "//", "api"]) {
      expect(table.find("GET", path), path).to.equal(undefined);
    }
    expect(table.find("GET", "/api/articles/ABC")?.params["id"]).to.equal("ABC");
    expect(table.find("GET", "/")?.value).to.equal("/");
  });

  it("refuses a parameter that is not percent-encoded text", () => {
    expect(() => tableOf("/a/:id").find("GET", "/a/%zz"))
      .to.throw()
      .with.property("code", "PLINTH_HTTP_MALFORMED_PATH");
  });

  it("reads the same number of branches with 5 content-types and with 500", () => {
    const read = (types: number): number => {
      const table = new RouteTable<number>();
      for (let i = 0; i < types; i++) {
        table.add("GET", `/api/type-${i}s`, i);
        table.add("GET", `/api/type-${i}s/:id`, i);
      }
      const original = Map.prototype.get;
      let reads = 0;
      Map.prototype.get = function count(this: Map<unknown, unknown>, key: unknown) {
        reads++;
        return original.call(this, key);
      };
      try {
        table.find("GET", `/api/type-${types - 1}s/abc`);
      } finally {
        Map.prototype.get = original;
      }
      return reads;
    };
    expect(read(500)).to.equal(read(5));
  });
});
