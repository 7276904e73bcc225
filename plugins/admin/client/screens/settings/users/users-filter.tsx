import { t } from "../../../messages/text.js";
import { Select } from "../../../ui/field.js";
import { SearchBox } from "../../../ui/search-box.js";
import { Labelled } from "../frame/labelled.js";
import styles from "../frame/settings.module.css";
import { useRoleChoices } from "./user-requests.js";
import { USER_STATES, type UsersSearch } from "./users-search.js";

/** Changes the address of the list; `trail` are the cursors of the pages before. */
export type ChangeUsersAddress = (
  next: { readonly [Name in keyof UsersSearch]?: UsersSearch[Name] | undefined },
  trail?: readonly (string | null)[] | "stay",
) => void;

interface UsersFilterProps {
  readonly search: UsersSearch;
  readonly change: ChangeUsersAddress;
}

/** Narrows the list of users. */
export function UsersFilter({ search, change }: UsersFilterProps) {
  const roles = useRoleChoices();
  return (
    <div className={styles.bar}>
      <SearchBox
        value={search.q ?? ""}
        onSearch={(q) => change({ q })}
        label={t("users.search")}
        hint={t("users.search")}
      />
      <Labelled label={t("users.role")}>
        {(id) => (
          <Select
            id={id}
            value={search.role ?? ""}
            onChange={({ target }) => change({ role: target.value || undefined })}
          >
            <option value="">{t("users.all")}</option>
            {roles.data?.data.map(({ documentId, name }) => (
              <option key={documentId} value={documentId}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Labelled>
      <Labelled label={t("users.state")}>
        {(id) => (
          <Select
            id={id}
            value={search.state ?? ""}
            onChange={({ target }) => change({ state: USER_STATES.find((state) => state === target.value) })}
          >
            <option value="">{t("users.all")}</option>
            {USER_STATES.map((state) => (
              <option key={state} value={state}>
                {t(`users.state.${state}`)}
              </option>
            ))}
          </Select>
        )}
      </Labelled>
    </div>
  );
}
