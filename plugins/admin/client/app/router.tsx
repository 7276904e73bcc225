import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Failed } from "../ui/state.js";
import { parseAuditSearch } from "../screens/settings/audit/audit-search.js";
import { parseUsersSearch } from "../screens/settings/users/users-search.js";
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

const tokensRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/tokens",
  component: lazyRouteComponent(() => import("../screens/settings/tokens/token-list.js"), "TokensScreen"),
});

/** One API token; so with `new` below. */
const tokenRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/tokens/$id",
  component: lazyRouteComponent(() => import("../screens/settings/tokens/token-screen.js"), "TokenScreen"),
});

const usersRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/users",
  validateSearch: parseUsersSearch,
  component: lazyRouteComponent(() => import("../screens/settings/users/users-screen.js"), "UsersScreen"),
});

const userRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/users/$id",
  component: lazyRouteComponent(() => import("../screens/settings/users/user-screen.js"), "UserScreen"),
});

const userRolesRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/user-roles",
  component: lazyRouteComponent(() => import("../screens/settings/users/roles-screen.js"), "UserRolesScreen"),
});

const userRoleRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/user-roles/$id",
  component: lazyRouteComponent(() => import("../screens/settings/users/role-screen.js"), "UserRoleScreen"),
});

const languagesRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/languages",
  component: lazyRouteComponent(() => import("../screens/settings/languages/languages-screen.js"), "LanguagesScreen"),
});

const auditRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/audit",
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(() => import("../screens/settings/audit/audit-screen.js"), "AuditScreen"),
});

/** For those who run the site. */
const owners = [
  ...([tokensRoute, tokenRoute, usersRoute, userRoute] as const),
  ...([userRolesRoute, userRoleRoute, languagesRoute, auditRoute] as const),
] as const;

const routeTree = root.addChildren([home, listRoute, editRoute, singleRoute, extensionRoute, ...owners]);

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
    defaultErrorComponent: ({ error, reset }) => <Failed error={error} retry={reset} />,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPageRouter>;
  }
}
