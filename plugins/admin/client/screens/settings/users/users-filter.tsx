import { useEffect, useRef, useState } from "react";
import { t } from "../../../messages/text.js";
import { Select, TextInput } from "../../../ui/field.js";
import { useRested } from "../../../ui/use-rested.js";
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

/** How long typing has to rest before it is searched for, in milliseconds. */
const REST = 250;

/** Narrows the list of users. */
export function UsersFilter({ search, change }: UsersFilterProps) {
  const roles = useRoleChoices();
  return (
    <div className={styles.bar}>
      <SearchBox search={search} change={change} />
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

/** Says in the address what is typed, once it rests, and shows what the address says. */
function SearchBox({ search: { q = "" }, change }: UsersFilterProps) {
  const [typed, setTyped] = useState(q);
  const rested = useRested(typed, REST);
  const known = useRef(q);
  useEffect(() => {
    if (q !== known.current) {
      known.current = q;
      setTyped(q);
    } else if (rested === typed && rested !== known.current) {
      known.current = rested;
      change({ q: rested });
    }
  });
  return (
    <TextInput
      type="search"
      className={styles.search}
      aria-label={t("users.search")}
      placeholder={t("users.search")}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
}
