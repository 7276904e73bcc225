import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { Failed } from "../ui/state.js";
import { parseAuditSearch } from "../screens/settings/audit/audit-search.js";
import { parseUsersSearch } from "../screens/settings/users/users-search.js";
import { parseEditSearch } from "./edit-search.js";
import { Frame } from "./frame.js";
import { parseListSearch } from "./list-search.js";
import { whenIdle } from "./load-part.js";
import { parseMediaSearch } from "./media-search.js";
import { NotFound } from "./not-found.js";
import { parseJobsSearch } from "./jobs-search.js";
import { parseCalendarSearch, parseReleasesSearch } from "./plans-search.js";

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

/** The documents of a type that were deleted. */
const deletedRoute = createRoute({
  getParentRoute: () => root,
  path: "/content/$uid/deleted",
  component: lazyRouteComponent(() => import("../screens/history/deleted-screen.js"), "DeletedScreen"),
});

/** The document of a single type. */
const singleRoute = createRoute({
  getParentRoute: () => root,
  path: "/single/$uid",
  validateSearch: parseEditSearch,
  component: editScreen,
});

/** The files of the site. */
const mediaRoute = createRoute({
  getParentRoute: () => root,
  path: "/media",
  validateSearch: parseMediaSearch,
  component: lazyRouteComponent(() => import("../screens/media/media-screen.js"), "MediaScreen"),
});

/** What is planned, by days. */
const calendarRoute = createRoute({
  getParentRoute: () => root,
  path: "/calendar",
  validateSearch: parseCalendarSearch,
  component: lazyRouteComponent(() => import("../screens/plans/calendar-screen.js"), "CalendarScreen"),
});

/** Documents that are published together. */
const releasesRoute = createRoute({
  getParentRoute: () => root,
  path: "/releases",
  validateSearch: parseReleasesSearch,
  component: lazyRouteComponent(() => import("../screens/plans/releases-screen.js"), "ReleasesScreen"),
});

const releaseRoute = createRoute({
  getParentRoute: () => root,
  path: "/releases/$id",
  component: lazyRouteComponent(() => import("../screens/plans/release-screen.js"), "ReleaseScreen"),
});

/** Other servers that are told of what happens. */
const webhooksRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/webhooks",
  component: lazyRouteComponent(() => import("../screens/webhooks/webhooks-screen.js"), "WebhooksScreen"),
});

/** One of them; `new` stands for one that is not there yet. */
const webhookRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/webhooks/$id",
  component: lazyRouteComponent(() => import("../screens/webhooks/webhook-screen.js"), "WebhookScreen"),
});

/** Work that is done later. */
const jobsRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/jobs",
  validateSearch: parseJobsSearch,
  component: lazyRouteComponent(() => import("../screens/jobs/jobs-screen.js"), "JobsScreen"),
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

const planRoutes = [calendarRoute, releasesRoute, releaseRoute, webhooksRoute, webhookRoute, jobsRoute] as const;

const builderScreen = lazyRouteComponent(() => import("../screens/builder/builder-screen.js"), "BuilderScreen");

/** Content-types and components. */
const builderRoute = createRoute({ getParentRoute: () => root, path: "/builder", component: builderScreen });

/** One of them. */
const shapeRoute = createRoute({ getParentRoute: () => root, path: "/builder/$uid", component: builderScreen });

const accountRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/account",
  component: lazyRouteComponent(() => import("../screens/account/account-screen.js"), "AccountScreen"),
});

const accountsRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/accounts",
  component: lazyRouteComponent(() => import("../screens/accounts/accounts-screen.js"), "AccountsScreen"),
});

const rolesRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/roles",
  component: lazyRouteComponent(() => import("../screens/roles/roles-screen.js"), "RolesScreen"),
});

const roleRoute = createRoute({
  getParentRoute: () => root,
  path: "/settings/roles/$role",
  component: lazyRouteComponent(() => import("../screens/roles/role-screen.js"), "RoleScreen"),
});

const routeTree = root.addChildren([
  home,
  listRoute,
  deletedRoute,
  editRoute,
  singleRoute,
  mediaRoute,
  extensionRoute,
  ...planRoutes,
  ...owners,
  builderRoute,
  shapeRoute,
  accountRoute,
  accountsRoute,
  rolesRoute,
  roleRoute,
]);

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
