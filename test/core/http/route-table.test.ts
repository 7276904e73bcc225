import { expect } from "chai";
import fc from "fast-check";
import { RouteTable } from "#core/http/router.js";

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

  it("finds what the first of all routes that fit would be, the ones with earlier literal segments before the others", () => {
    const segment = fc.constantFrom("a", "B", "new", "%41", ":id", ":x");
    const routes = fc.array(fc.record({ method: fc.constantFrom(...METHODS), path: pathOf(segment) }), {
      maxLength: 12,
    });
    const asked = pathOf(
      fc.constantFrom("a", "A", "b", "new", "NEW", "x%20y", "%2F", "%41", ":id", ".", "", "__proto__"),
    );
    fc.assert(
      fc.property(routes, fc.constantFrom(...METHODS), asked, fc.constantFrom("", "/"), (added, method, path, end) => {
        const table = new RouteTable<string>();
        for (const route of added) table.add(route.method, route.path, route.path);
        const found = table.find(method, path + end);
        const expected = bestOf(added, method, path + end);
        expect(found?.value).to.equal(expected?.path);
        expect(found && { ...found.params }).to.deep.equal(expected && paramsOf(expected.path, path));
        const methods = METHODS.filter((other) => bestOf(added, other, path + end));
        expect([...table.methodsOf(path + end)].sort()).to.deep.equal([...methods].sort());
      }),
      { numRuns: 300 },
    );
  });

  it("costs the same with 5 content-types and with 500", () => {
    const tableOfTypes = (types: number): (() => number) => {
      const table = new RouteTable<number>();
      for (let i = 0; i < types; i++) {
        table.add("GET", `/api/type-${i}s`, i);
        table.add("GET", `/api/type-${i}s/:id`, i);
      }
      return () => {
        const start = process.cpuUsage();
        for (let i = 0; i < 20_000; i++) table.find("GET", `/api/type-${types - 1}s/abc`);
        return process.cpuUsage(start).user;
      };
    };
    // In turn: both meet the same compiled code, and the same other programs on the machine.
    const [few, many] = [tableOfTypes(5), tableOfTypes(500)];
    const rounds = Array.from({ length: 20 }, () => ({ few: few(), many: many() }));
    const least = (of: "few" | "many"): number => Math.min(...rounds.map((round) => round[of]));
    // One after the other would take a hundred times as long.
    expect(least("many")).to.be.below(10 * least("few"));
  });
});

const METHODS = ["GET", "PUT", "DELETE"] as const;

interface Added {
  readonly method: (typeof METHODS)[number];
  readonly path: string;
}

function pathOf(segment: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join("/")}`);
}

/** What a table should find, by trying every route. */
function bestOf(routes: readonly Added[], method: string, asked: string): Added | undefined {
  if (asked.includes("//")) return undefined;
  const path = asked.length > 1 && asked.endsWith("/") ? asked.slice(0, -1) : asked;
  const fitting = routes.filter((route) => route.method === method && fits(route.path, path));
  const kinds = ({ path }: Added) => path.replaceAll(/:\w+/g, "~").replaceAll(/\w+/g, "_");
  return fitting.sort((a, b) => (kinds(a) < kinds(b) ? -1 : kinds(a) > kinds(b) ? 1 : 0))[0];
}

function fits(route: string, path: string): boolean {
  if (route === "/" || path === "/") return route === path;
  const [wanted, given] = [route.split("/").slice(1), path.split("/").slice(1)];
  if (wanted.length !== given.length) return false;
  return wanted.every((name, i) =>
    name.startsWith(":") ? given[i] !== "" : name.toLowerCase() === given[i]?.toLowerCase(),
  );
}

function paramsOf(route: string, path: string): object {
  const values = path.split("/").map(decodeURIComponent);
  const names = route.split("/").flatMap((name, i) => (name.startsWith(":") ? [[name.slice(1), values[i]]] : []));
  return Object.fromEntries(names);
}
