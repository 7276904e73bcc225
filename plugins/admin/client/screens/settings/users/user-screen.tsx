import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { EndUser, UserRole } from "../../../../src/wire/end-users.js";
import type { Attributes } from "../../../form/shape.js";
import { t } from "../../../messages/text.js";
import { Moment } from "../../list/cell.js";
import { BackLink } from "../frame/back-link.js";
import styles from "../frame/settings.module.css";
import { Card, Loaded, SettingsScreen } from "../frame/settings-screen.js";
import { UserForm } from "./user-form.js";
import { UserMenu } from "./user-menu.js";
import { USERS_ACTION, useRoleChoices, useUser, useUserAttributes, useUserSessions } from "./user-requests.js";
import { UserMarks } from "./users-screen.js";

const route = getRouteApi("/settings/users/$id");

/** One user, or a new one. */
export function UserScreen() {
  const { id } = route.useParams();
  const isNew = id === "new";
  const user = useUser(isNew ? undefined : id);
  const attributes = useUserAttributes();
  const roles = useRoleChoices();
  const all = [attributes, roles, ...(isNew ? [] : [user])];
  const data = attributes.data &&
    roles.data &&
    (isNew || user.data) && {
      ...{ user: user.data?.data, attributes: attributes.data.data, roles: roles.data.data },
      minLength: attributes.data.meta.minPasswordLength,
    };
  const question = {
    data: data || undefined,
    error: all.find(({ error }) => error)?.error,
    isPending: all.some(({ isPending }) => isPending),
    refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
  };
  return (
    <Loaded of={question} action={USERS_ACTION}>
      {(known) => <UserEditor key={id} {...known} />}
    </Loaded>
  );
}

interface UserEditorProps {
  readonly user: EndUser | undefined;
  readonly attributes: Attributes;
  readonly roles: readonly UserRole[];
  readonly minLength: number;
}

function UserEditor({ user, ...form }: UserEditorProps) {
  const navigate = useNavigate();
  const leave = () => navigate({ to: "/settings/users", ignoreBlocker: true });
  return (
    <SettingsScreen
      title={user?.username ?? t("users.new")}
      back={<BackLink to="/settings/users">{t("users.title")}</BackLink>}
      text={user && <UserMarks user={user} />}
      actions={user && <UserMenu user={user} onGone={leave} />}
    >
      <UserForm user={user} {...form} onMade={leave} />
      {user && <Sessions user={user} />}
    </SettingsScreen>
  );
}

/** Where the user is signed in, as far as the app keeps that. */
function Sessions({ user }: { readonly user: EndUser }) {
  const sessions = useUserSessions(user.documentId);
  return (
    <Card title={t("users.sessions")}>
      <Loaded of={sessions} action={USERS_ACTION}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className={styles.soft}>{t(meta.isListed ? "users.sessions.none" : "users.sessions.unlisted")}</p>
          ) : (
            <ul className={styles.rows}>
              {data.map(({ id, deviceName, loginAt }) => (
                <li key={id} className={styles.row}>
                  <span>{deviceName}</span>
                  <Moment value={loginAt} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
