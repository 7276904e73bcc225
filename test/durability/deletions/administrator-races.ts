// Races with the deletion of administrators and of their roles.
import { administratorOf, PASSWORD, signIn } from "../../plugins/admin/sign-in.js";
import { type Deletion, made } from "./race.js";
import type { Site } from "./site.js";

const ADMINISTRATOR = "plugin::api-tokens.admin";
const SAME_ORIGIN = { "sec-fetch-site": "same-origin" };

/** An administrator who signs in, and whose lists, preferences and typed forms are kept. */
export const administrator: Deletion = {
  what: "an administrator who is deleted",
  ways: ["admin"],
  prepare: async ({ admin, apps, ask, rest }, _way, round) => {
    const [app] = apps as [Site["apps"][number]];
    const name = `leaver-${round}`;
    const { documentId, email } = await administratorOf(app, name);
    await app.documents(ADMINISTRATOR).update({ documentId, data: { role: "super" } });
    const headers = await signIn(app, name);
    const topic = made(await rest("POST", "/topics", { data: { name } })).data.documentId;
    const own = (method: string, path: string, body: object) => ask(method, `/admin/api${path}`, headers, body);
    const ours = { name: "Shared", state: { q: "z" }, roles: ["editor"] };
    const shared = made(await own("POST", "/views/api::topic.topic", ours)).data.id;
    return {
      remove: () => admin("DELETE", `/api/accounts/${documentId}`),
      writes: {
        "a sign-in": () => ask("POST", "/admin/api/session", SAME_ORIGIN, { email, password: PASSWORD }),
        "a view that is shared": () =>
          own("POST", "/views/api::topic.topic", { name: "Ours", state: { q: "y" }, roles: ["editor"] }),
        "a view that is shared no more": () => admin("PUT", `/api/views/${shared}`, { roles: [] }),
        "a view of a list": () => own("POST", "/views/api::topic.topic", { name: "Mine", state: { q: "x" } }),
        "a preference": () => own("PUT", "/preferences/home", { value: ["a"] }),
        "what is typed": () =>
          own("PUT", `/working-copies/api::topic.topic/${topic}`, { changes: { name: "typed" }, device: "here" }),
      },
    };
  },
  leftovers: ["admin_sessions", "admin_views", "admin_preferences", "admin_working_copies"]
    .map(
      (table) => `select '${table} ' || document_id as left_behind from ${table} t
        where not exists (select from administrators a where a.document_id = t.account) ${table === "admin_views" ? "and not is_shared" : ""}`,
    )
    .join(" union all "),
};

/** An invitation: the one it was for has become an administrator, or never does by it. */
const invitationThatIs = (write: "accepted" | "sent again"): Deletion => ({
  what: `an invitation that is revoked while it is ${write}`,
  ways: ["admin"],
  isRefusedInUse: true,
  prepare: async ({ admin, ask }, _way, round) => {
    const email = `${write.replace(" ", "-")}-${round}@example.com`;
    const { invitation, link } = made(await admin("POST", "/api/invitations", { email, role: "editor" }));
    const [, code] = String(link).split("#");
    const path = `/api/invitations/${invitation.id}`;
    const accept = () =>
      ask("POST", "/admin/api/invitations/accept", SAME_ORIGIN, { code, name: email, password: PASSWORD });
    const resend = () => admin("POST", `${path}/resend`);
    return {
      remove: () => admin("DELETE", path),
      writes: { [`the invitation ${write}`]: write === "accepted" ? accept : resend },
    };
  },
  leftovers: "select email as left_behind from admin_invitations join administrators using (email)",
});

/** The writes that a revoked invitation must not survive. */
export const invitations: readonly Deletion[] = [invitationThatIs("accepted"), invitationThatIs("sent again")];

const ROLES_THERE = "(select name from admin_roles union all select unnest(array['super', 'editor', 'author']))";
const NAMES_NO_ROLE = `select 'account ' || email as left_behind from administrators where role not in ${ROLES_THERE}
  union all select 'invitation ' || email from admin_invitations where role not in ${ROLES_THERE}
  union all select 'view ' || v.name from admin_views v, jsonb_array_elements_text(v.roles) role where role not in ${ROLES_THERE}`;

const makeRole = async ({ admin }: Site, name: string) =>
  made(await admin("POST", "/api/roles", { name, grant: ["api::topic.topic.find"] })).data.id;

/** A role of administrators, which is kept while somebody has it or is invited to it. */
export const administratorRole: Deletion = {
  what: "a role of administrators that is deleted",
  ways: ["admin"],
  isRefusedInUse: true,
  prepare: async (site, _way, round) => {
    const { admin, apps } = site;
    const [app] = apps as [Site["apps"][number]];
    const role = `goes ${round}`;
    const id = await makeRole(site, role);
    const { documentId } = await administratorOf(app, "editor");
    await app.documents(ADMINISTRATOR).update({ documentId, data: { role: "editor" } });
    return {
      remove: () => admin("DELETE", `/api/roles/${id}`),
      writes: {
        "an account that gets it": () => admin("PUT", `/api/accounts/${documentId}`, { role }),
        "an invitation to it": () => admin("POST", "/api/invitations", { email: `guest-${round}@example.com`, role }),
      },
    };
  },
  leftovers: NAMES_NO_ROLE,
};

/** A role of administrators that views of lists are shared with. */
export const sharedWith: Deletion = {
  what: "a role of administrators that is deleted and has views",
  ways: ["admin"],
  prepare: async (site, _way, round) => {
    const { admin } = site;
    const role = `reads ${round}`;
    const id = await makeRole(site, role);
    for (const { id: old } of made(await admin("GET", "/api/views/api::topic.topic")).data)
      made(await admin("DELETE", `/api/views/${old}`));
    const view = { name: `shared ${round}`, state: { q: "x" } };
    const known = made(await admin("POST", "/api/views/api::topic.topic", view)).data.id;
    return {
      remove: () => admin("DELETE", `/api/roles/${id}`),
      writes: {
        "a view that is made for it": () => admin("POST", "/api/views/api::topic.topic", { ...view, roles: [role] }),
        "a view that is shared with it": () => admin("PUT", `/api/views/${known}`, { roles: [role] }),
      },
    };
  },
  leftovers: NAMES_NO_ROLE,
};

/** The same under another name, which all that name it get. */
export const renamedRole: Deletion = {
  what: "a role of administrators that is renamed",
  ways: ["admin"],
  prepare: async (site, _way, round) => {
    const { admin, ask } = site;
    const role = `old ${round}`;
    const id = await makeRole(site, role);
    const { link } = made(await admin("POST", "/api/invitations", { email: `invited-${round}@example.com`, role }));
    const [, code] = String(link).split("#");
    return {
      remove: () => admin("PUT", `/api/roles/${id}`, { name: `new ${round}` }),
      writes: {
        "an invitation that is accepted": () =>
          ask("POST", "/admin/api/invitations/accept", SAME_ORIGIN, {
            code,
            name: `Invited ${round}`,
            password: PASSWORD,
          }),
        "an invitation to it": () => admin("POST", "/api/invitations", { email: `second-${round}@example.com`, role }),
      },
    };
  },
  leftovers: NAMES_NO_ROLE,
};
