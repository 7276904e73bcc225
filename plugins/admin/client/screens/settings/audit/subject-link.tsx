import { Link } from "@tanstack/react-router";
import type { AuditEntryView } from "../../../../src/wire/audit.js";
import { EntryLink } from "../../../app/entry-link.js";
import { useSession } from "../../../app/session.js";
import { typeText } from "./entry-words.js";

/** Screens of documents that are no content. */
const SCREENS = {
  "plugin::users-permissions.user": "/settings/users/$id",
  "plugin::users-permissions.role": "/settings/user-roles/$id",
  "plugin::api-tokens.token": "/settings/tokens/$id",
} as const;

/** What an entry is about; a link where the reader can open it, and it was not deleted. */
export function SubjectLink({ entry: { uid, documentId, action, locales } }: { readonly entry: AuditEntryView }) {
  const session = useSession();
  if (uid === undefined) return null;
  const text = typeText(uid, session);
  const type = session.types.get(uid);
  if (documentId === undefined || action === "document.delete") return <>{text}</>;
  if (type)
    return (
      <EntryLink uid={uid} id={documentId} search={locales?.length === 1 ? { locale: locales[0] as string } : {}}>
        {text}
      </EntryLink>
    );
  const screen = Object.hasOwn(SCREENS, uid) ? SCREENS[uid as keyof typeof SCREENS] : undefined;
  return screen ? (
    <Link to={screen} params={{ id: documentId }}>
      {text}
    </Link>
  ) : (
    text
  );
}
