import { getRouteApi, Link } from "@tanstack/react-router";
import type { EndUser } from "../../../../src/wire/end-users.js";
import { t } from "../../../messages/text.js";
import { Button, buttonClass } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { Empty } from "../../../ui/state.js";
import { Moment } from "../../list/cell.js";
import { Pages } from "../../list/pages.js";
import styles from "../frame/settings.module.css";
import { Loaded, Mark, SettingsScreen } from "../frame/settings-screen.js";
import { UserMenu } from "./user-menu.js";
import { USERS_ACTION, useUsers } from "./user-requests.js";
import { type ChangeUsersAddress, UsersFilter } from "./users-filter.js";
import type { UsersSearch } from "./users-search.js";

const route = getRouteApi("/settings/users");

/** The address, which holds the state of the list. A new question begins at its first page. */
function useAddress(): { readonly search: UsersSearch; readonly change: ChangeUsersAddress } {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change: ChangeUsersAddress = (next, trail = []) =>
    void navigate({
      search: { ...search, cursor: undefined, ...next } as UsersSearch,
      state: trail === "stay" ? true : { trail },
      replace: "q" in next,
    });
  return { search, change };
}

/** The people who sign in to the site. */
export function UsersScreen() {
  const { search, change } = useAddress();
  const users = useUsers(search);
  return (
    <SettingsScreen
      title={t("users.title")}
      text={t("users.text")}
      isWide
      actions={
        <Link to="/settings/users/$id" params={{ id: "new" }} className={buttonClass({ look: "primary" })}>
          <Icon name="plus" />
          {t("users.new")}
        </Link>
      }
    >
      <UsersFilter search={search} change={change} />
      <Loaded of={users} action={USERS_ACTION}>
        {({ data, meta: { pagination } }) => (
          <>
            {data.length === 0 ? <NoUsers search={search} change={change} /> : <UsersTable users={data} />}
            <Pages search={search} change={change} next={pagination.nextCursor} isWaiting={users.isPlaceholderData} />
          </>
        )}
      </Loaded>
    </SettingsScreen>
  );
}

interface NoUsersProps {
  readonly search: UsersSearch;
  readonly change: ChangeUsersAddress;
}

function NoUsers({ search: { q, role, state }, change }: NoUsersProps) {
  if (!q && !role && !state) return <Empty icon="users" title={t("users.empty")} text={t("users.empty.text")} />;
  return (
    <Empty icon="search" title={t("list.nothingFound")} text={t("users.nothingFound")}>
      <Button onClick={() => change({ q: undefined, role: undefined, state: undefined })}>{t("list.clear")}</Button>
    </Empty>
  );
}

function UsersTable({ users }: { readonly users: readonly EndUser[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the screen is scrolled by keys
    <section className={styles.scroll} tabIndex={0} aria-label={t("users.title")}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t("users.username")}</th>
            <th scope="col">{t("users.role")}</th>
            <th scope="col">{t("users.state")}</th>
            <th scope="col">{t("list.createdAt")}</th>
            <th scope="col" className={styles.narrow}>
              <span className="visually-hidden">{t("row.head")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.documentId}>
              <th scope="row">
                <Link to="/settings/users/$id" params={{ id: user.documentId }} className={styles.name}>
                  {user.username}
                </Link>
                <p className={styles.small}>{user.email}</p>
              </th>
              <td>{user.role?.name ?? "–"}</td>
              <td>
                <UserMarks user={user} />
              </td>
              <td>
                <Moment value={user.createdAt} />
              </td>
              <td className={styles.narrow}>
                <UserMenu user={user} isSmall />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Whether a user may sign in. */
export function UserMarks({ user: { blocked, confirmed } }: { readonly user: EndUser }) {
  if (blocked) return <Mark look="wrong">{t("users.blocked")}</Mark>;
  return confirmed ? (
    <Mark look="good">{t("users.state.active")}</Mark>
  ) : (
    <Mark look="warn">{t("users.state.unconfirmed")}</Mark>
  );
}
