import type { AuditEntryView } from "../../../../src/wire/audit.js";
import type { Session } from "../../../app/session.js";
import { type MessageKey, t } from "../../../messages/text.js";

/** Acts that have a name for readers; those of apps are shown as they are. */
export const ACTS: readonly string[] = [
  ...["create", "update", "publish", "unpublish", "discard-draft", "delete", "import"].map(
    (verb) => `document.${verb}`,
  ),
  ...["register", "sign-in", "sign-out", "session-end", "password-change"].map((verb) => `auth.${verb}`),
  ...["password-forgot", "password-reset", "email-confirm", "refresh"].map((verb) => `auth.${verb}`),
  ...["access.refuse", "command.run", "audit.read", "audit.cut", "audit.lost"],
  ...["plan", "cancel", "run"].map((verb) => `schedule.${verb}`),
  ...["create", "change", "remove", "schedule", "cancel", "start", "run"].map((verb) => `release.${verb}`),
];

/** What was done. */
export const actText = (action: string): string =>
  ACTS.includes(action) ? t(`audit.act.${action.replace(".", "-")}` as MessageKey) : action;

const KINDS: readonly string[] = ["admin", "user", "token", "public", "system"];

/** Who did it: a name where there is one, else the kind with the id. The reader is named by the session. */
export function actorText({ actor }: AuditEntryView, { user }: Pick<Session, "user">): string {
  if (!actor) return t("audit.nobody");
  const { kind, id, name } = actor;
  if (id === user.documentId) return user.name;
  const kindText = KINDS.includes(kind) ? t(`audit.kind.${kind}` as MessageKey) : kind;
  return [kindText, name ?? id].filter(Boolean).join(" ");
}

/** Content-types of plugins, which have screens of their own. */
const OF_PLUGINS: Readonly<Record<string, MessageKey>> = {
  "plugin::users-permissions.user": "audit.type.user",
  "plugin::users-permissions.role": "audit.type.role",
  "plugin::users-permissions.permission": "audit.type.permission",
  "plugin::api-tokens.token": "audit.type.token",
  "plugin::api-tokens.admin": "audit.type.admin",
  "plugin::upload.file": "audit.type.file",
  "plugin::i18n.locale": "audit.type.locale",
};

/** Uids that the log can be narrowed to. */
export const knownUids = ({ types }: Pick<Session, "types">): readonly string[] => [
  ...types.keys(),
  ...Object.keys(OF_PLUGINS),
];

/** What a content-type is called; a type that the reader may not find has its uid as name. */
export function typeText(uid: string, { types }: Pick<Session, "types">): string {
  const key = OF_PLUGINS[uid];
  return types.get(uid)?.label ?? (key ? t(key) : uid);
}
