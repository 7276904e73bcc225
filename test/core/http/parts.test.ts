import { expect } from "chai";
import { createControllers, listRoutes } from "#core/http/parts.js";
import type { Route, RouteSource } from "#core/http/route.js";
import type { ControllerFactory, Tools } from "#core/http/types.js";
import { Registry } from "#core/kernel/registry.js";
import { openRoute } from "./start-server.js";

const tools = {} as Tools;

describe("declared parts", () => {
  it("list the app's routes before those of plugins, each with the owner that its uid names", () => {
    const registry = new Registry<Route | RouteSource>("route");
    registry.add(
      "api::article.generated",
      openRoute("GET", "/a", () => "plugin"),
      "content-api",
    );
    registry.add(
      "plugin::bookmarks.feed",
      openRoute("GET", "/b", () => "plugin"),
      "bookmarks",
    );
    registry.add(
      "api::article.mine",
      openRoute("GET", "/a", () => "app"),
      "app",
    );
    registry.add(
      "global::hello",
      openRoute("GET", "/c", () => "app"),
      "app",
    );
    registry.seal();
    const listed = listRoutes(registry, tools).map(({ owner, route }) => `${owner} ${String(route.path)}`);
    expect(listed).to.deep.equal(["api::article /a", "global /c", "api::article /a", "plugin::bookmarks /b"]);
  });

  it("ask sources for their routes, after the routes that their owner declared one by one", () => {
    const registry = new Registry<Route | RouteSource>("route");
    const answer = () => "app";
    const createRoutes = () => [openRoute("GET", "/a", answer), openRoute("GET", "/b", answer)];
    registry.add("api::article.core", { createRoutes }, "app");
    registry.add("api::article.own", openRoute("GET", "/c", answer), "app");
    registry.seal();
    const paths = listRoutes(registry, tools).map(({ route }) => route.path);
    expect(paths).to.deep.equal(["/c", "/a", "/b"]);
  });

  it("make a controller when it is first asked for, once", () => {
    const registry = new Registry<ControllerFactory>("controller");
    let made = 0;
    const factory: ControllerFactory = () => {
      made++;
      return { find: () => made };
    };
    registry.add("api::article.article", factory, "app");
    registry.seal();
    const controllers = createControllers(registry, tools);
    expect(made).to.equal(0);
    expect(controllers.get("api::article.article")).to.equal(controllers.get("api::article.article"));
    expect(made).to.equal(1);
    expect([controllers.has("api::article.article"), controllers.has("api::x.x")]).to.deep.equal([true, false]);
  });
});
