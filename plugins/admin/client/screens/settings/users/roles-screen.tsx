import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { UserRole } from "../../../../src/wire/end-users.js";
import { t } from "../../../messages/text.js";
import { buttonClass } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { Menu } from "../../../ui/menu.js";
import { sayDone } from "../../../ui/toast.js";
import { Confirm } from "../frame/confirm.js";
import styles from "../frame/settings.module.css";
import { Loaded, Mark, SettingsScreen } from "../frame/settings-screen.js";
import { ROLES_ACTION, useRoleWrites, useUserRoles } from "./role-requests.js";

/** What end users may do, by their roles. There are always two: public, and that of new users. */
export function UserRolesScreen() {
  const roles = useUserRoles();
  return (
    <SettingsScreen
      title={t("userRoles.title")}
      text={t("userRoles.text")}
      actions={
        <Link to="/settings/user-roles/$id" params={{ id: "new" }} className={buttonClass({ look: "primary" })}>
          <Icon name="plus" />
          {t("userRoles.new")}
        </Link>
      }
    >
      <Loaded of={roles} action={ROLES_ACTION}>
        {({ data }) => (
          <ul className={styles.rows}>
            {data.map((role) => (
              <RoleRow key={role.documentId} role={role} />
            ))}
          </ul>
        )}
      </Loaded>
    </SettingsScreen>
  );
}

function RoleRow({ role }: { readonly role: UserRole }) {
  const { documentId, name, description, users = 0 } = role;
  return (
    <li className={styles.row}>
      <div>
        <span className={styles.line}>
          <Link to="/settings/user-roles/$id" params={{ id: documentId }} className={styles.name}>
            {name}
          </Link>
          <RoleMarks role={role} />
          <span className={styles.small}>{t("userRoles.users", { count: users })}</span>
        </span>
        {description && <p className={styles.small}>{description}</p>}
      </div>
      <RoleMenu role={role} isSmall />
    </li>
  );
}

/** Whose role it is without being given it. */
export function RoleMarks({ role: { isPublic, isDefault } }: { readonly role: UserRole }) {
  return (
    <>
      {isPublic && <Mark look="warn">{t("userRoles.public")}</Mark>}
      {isDefault && <Mark look="good">{t("userRoles.default")}</Mark>}
    </>
  );
}

interface RoleMenuProps {
  readonly role: UserRole;
  readonly isSmall?: boolean;
  readonly onGone?: () => unknown;
}

/** Public and the role of new users stay: there is nothing to be done with them beside changing them. */
export function RoleMenu({ role, isSmall = false, onGone }: RoleMenuProps) {
  const [isAsked, setAsked] = useState(false);
  const { remove } = useRoleWrites();
  const { documentId, name, isPublic, isDefault } = role;
  if (isPublic || isDefault) return null;
  return (
    <>
      <Menu
        label={t("row.actions", { title: name })}
        isSmall={isSmall}
        groups={[
          [
            {
              ...{ id: "remove", label: t("userRoles.remove"), icon: "trash-2", isDangerous: true },
              run: () => setAsked(true),
            },
          ],
        ]}
      />
      {isAsked && (
        <Confirm
          title={t("userRoles.remove.ask", { name })}
          action={t("userRoles.remove")}
          isDangerous
          run={async () => {
            await remove(documentId);
            sayDone(t("userRoles.removed", { name }));
            await onGone?.();
          }}
          onClose={() => setAsked(false)}
        >
          <p>{t("userRoles.remove.text")}</p>
        </Confirm>
      )}
    </>
  );
}
