import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Failed } from "../ui/state.js";
import { parseEditSearch } from "./edit-search.js";
import { Frame } from "./frame.js";
import { parseListSearch } from "./list-search.js";
import { whenIdle } from "./load-part.js";
import { NotFound } from "./not-found.js";

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("../screens/home/home-screen.js"), "HomeScreen"),
});

/** The documents of a type. */
const listRoute = createRoute({
  getParentRoute: () => root,
  path: "/content/$uid",
  validateSearch: parseListSearch,
  component: lazyRouteComponent(() => import("../screens/list/list-screen.js"), "ListScreen"),
});

const editScreen = lazyRouteComponent(() => import("../screens/edit/edit-screen.js"), "EditScreen");

/** One document; `new` stands for one that is not there yet. */
const editRoute = createRoute({
  getParentRoute: () => root,
  path: "/content/$uid/$id",
  validateSearch: parseEditSearch,
  component: editScreen,
});

/** The document of a single type. */
const singleRoute = createRoute({
  getParentRoute: () => root,
  path: "/single/$uid",
  validateSearch: parseEditSearch,
  component: editScreen,
});

/** A screen that an extension brings. */
const extensionRoute = createRoute({
  getParentRoute: () => root,
  path: "/x/$extension/$path",
  component: lazyRouteComponent(() => import("../screens/extension/extension-screen.js"), "ExtensionScreen"),
});

const routeTree = root.addChildren([home, listRoute, editRoute, singleRoute, extensionRoute]);

/** Makes the router of the page, and loads the screens that were left for later: a click needs no network for them then. */
export function createPageRouter() {
  const router = makeRouter();
  // What does not load now is asked for again when it is shown.
  whenIdle(() => void Promise.allSettled([listRoute, editRoute].map((route) => router.loadRouteChunk(route))));
  return router;
}

const makeRouter = () =>
  createRouter({
    routeTree,
    basepath: "/admin",
    // Uids have colons; an address that was typed and one of a link are the same then.
    pathParamsAllowedCharacters: [":"],
    defaultPreload: "intent",
    scrollRestoration: true,
    // What a screen does not understand of its address is not there: it would else be given to it unchecked.
    search: { strict: true },
    defaultErrorComponent: ({ error, reset }) => <Failed error={error} retry={reset} />,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPageRouter>;
  }
}
