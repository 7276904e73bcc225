import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { RoleView } from "../../../src/wire/roles.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Menu } from "../../ui/menu.js";
import { Bone, Failed, useIsSlow } from "../../ui/state.js";
import { sayDone } from "../../ui/toast.js";
import { DeleteRole, NameRole } from "./role-dialogs.js";
import { useRoles } from "./roles-api.js";
import styles from "./roles.module.css";

const ACTION = "plugin::admin.roles";

/** A window above the list. */
type Open = { readonly kind: "new" } | { readonly kind: "copy" | "rename" | "delete"; readonly role: RoleView };

/** Which roles there are, of code and of the database. */
export function RolesScreen() {
  const { data, error, refetch, isPending, make, save, remove } = useRoles();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>();
  const isSlow = useIsSlow(isPending);
  if (error)
    return (
      <div className={styles.screen}>
        <h1>{t("roles.title")}</h1>
        <Failed error={error} retry={() => void refetch()} action={ACTION} />
      </div>
    );
  const close = () => setOpen(undefined);
  const enter = (name: string) => void navigate({ to: "/settings/roles/$role", params: { role: name } });
  const copyOf = ({ byCode, grant, description, requiresSecondFactor }: RoleView) => ({
    ...{ description, requiresSecondFactor, grant: [...byCode, ...grant] },
  });
  const named = async (name: string) => {
    if (open?.kind === "rename") {
      await save(open.role, { name });
      sayDone(t("roles.renamed", { name }));
      return close();
    }
    await make({ name, ...(open?.kind === "copy" ? copyOf(open.role) : {}) });
    enter(name);
  };
  return (
    <div className={styles.screen}>
      <div className={styles.head}>
        <div className={styles.intro}>
          <h1>{t("roles.title")}</h1>
          <p>{t("roles.text")}</p>
        </div>
        <Button look="primary" icon="plus" onClick={() => setOpen({ kind: "new" })}>
          {t("roles.new")}
        </Button>
      </div>
      {!data && isSlow && <Bone height="14rem" />}
      {data && (
        <ul className={styles.list}>
          {data.data.map((role) => (
            <RoleRow key={role.name} role={role} onOpen={(kind) => setOpen({ kind, role })} />
          ))}
        </ul>
      )}
      {open?.kind === "delete" && <DeleteRole role={open.role} remove={remove} onClose={close} />}
      {open && open.kind !== "delete" && (
        <NameRole kind={open.kind} before={"role" in open ? open.role.name : ""} onNamed={named} onClose={close} />
      )}
    </div>
  );
}

interface RoleRowProps {
  readonly role: RoleView;
  readonly onOpen: (kind: "copy" | "rename" | "delete") => void;
}

function RoleRow({ role, onOpen }: RoleRowProps) {
  const { id, name, origin, description, accounts, mayChange, requiresSecondFactor, isRequiredByConfig } = role;
  const isOwn = origin === null && mayChange;
  return (
    <li className={styles.role}>
      <div className={styles.what}>
        <Link to="/settings/roles/$role" params={{ role: name }}>
          {name}
        </Link>
        <p>{description || t(`roles.about.${origin ?? "database"}`)}</p>
        <p className={styles.facts}>
          <span>{t("roles.accounts", { count: accounts })}</span>
          {(requiresSecondFactor || isRequiredByConfig) && <span>{t("roles.needsFactor")}</span>}
          {origin !== null && id !== null && <span>{t("roles.added")}</span>}
        </p>
      </div>
      <Menu
        label={t("roles.menu", { name })}
        isSmall
        groups={[
          [
            { id: "copy", icon: "copy", label: t("roles.copy"), run: () => onOpen("copy") },
            ...(isOwn
              ? [{ id: "rename", icon: "pencil", label: t("roles.rename"), run: () => onOpen("rename") } as const]
              : []),
          ],
          mayChange && id !== null
            ? [
                {
                  ...{ id: "delete", icon: "trash-2", isDangerous: true, run: () => onOpen("delete") },
                  label: t(origin === null ? "action.delete" : "roles.deleteAdded"),
                } as const,
              ]
            : [],
        ]}
      />
    </li>
  );
}
