import { Link, useBlocker, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { GrantItem, RoleList, RoleView } from "../../../src/wire/roles.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Banner, Bone, Failed, messageOf, useIsSlow } from "../../ui/state.js";
import { sayDone } from "../../ui/toast.js";
import { useSubmit } from "../sign-in/use-submit.js";
import { isSameGrant } from "./grant-model.js";
import { RoleForm, type RoleValues } from "./role-form.js";
import { useRoles } from "./roles-api.js";
import styles from "./roles.module.css";

/** One role: what it may do, as a matrix, and in words. */
export function RoleScreen() {
  const { role: name } = useParams({ strict: false });
  const { data, error, refetch, isPending, save } = useRoles();
  const isSlow = useIsSlow(isPending);
  if (error)
    return (
      <div className={styles.screen}>
        <h1>{t("roles.title")}</h1>
        <Failed error={error} retry={() => void refetch()} action="plugin::admin.roles" />
      </div>
    );
  if (!data) return isSlow ? <Bone height="24rem" /> : null;
  const role = data.data.find((known) => known.name === name);
  if (!role)
    return (
      <div className={styles.screen}>
        <h1>{t("notFound.title")}</h1>
        <Link to="/settings/roles">{t("roles.back")}</Link>
      </div>
    );
  // A role that was saved is another version: the form begins anew with it.
  return <Editor key={`${role.name} ${role.version}`} role={role} list={data} save={save} />;
}

interface EditorProps {
  readonly role: RoleView;
  readonly list: RoleList;
  readonly save: ReturnType<typeof useRoles>["save"];
}

function Editor({ role, list, save }: EditorProps) {
  const before: RoleValues = {
    grant: role.grant,
    description: role.description ?? "",
    requiresSecondFactor: role.requiresSecondFactor,
  };
  const [values, setValues] = useState(before);
  const isDirty =
    !isSameGrant(values.grant, before.grant) ||
    values.description !== before.description ||
    values.requiresSecondFactor !== before.requiresSecondFactor;
  const { error, isBusy, submit } = useSubmit(async () => {
    const grant: readonly GrantItem[] = values.grant;
    await save(role, {
      grant,
      description: values.description || null,
      requiresSecondFactor: values.requiresSecondFactor,
    });
    sayDone(t("roles.saved", { name: role.name }));
  });
  const isReadOnly = role.name === "super" || !role.mayChange;
  // No form of its own: those of the windows above it would send it, too.
  return (
    <div className={styles.screen}>
      <Leaving isDirty={isDirty && !isBusy} />
      <div className={styles.head}>
        <div className={styles.intro}>
          <Link to="/settings/roles">{t("roles.back")}</Link>
          <h1>{role.name}</h1>
        </div>
        {!isReadOnly && (
          <Button look="primary" isBusy={isBusy || !isDirty} onClick={() => void submit()}>
            {t("action.save")}
          </Button>
        )}
      </div>
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
      {isReadOnly && <Banner>{t(role.name === "super" ? "roles.super" : "roles.above")}</Banner>}
      {!isReadOnly && role.origin !== null && <Banner>{t(`roles.lockedBy.${role.origin}`)}</Banner>}
      <RoleForm role={role} list={list} values={values} isReadOnly={isReadOnly} onChange={setValues} />
    </div>
  );
}

/** Asks before changes are left behind. */
function Leaving({ isDirty }: { readonly isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <Dialog
      title={t("roles.leave")}
      isOpen={status === "blocked"}
      isAlert
      onClose={() => reset?.()}
      footer={
        <>
          <Button onClick={() => reset?.()}>{t("action.cancel")}</Button>
          <Button look="danger" onClick={() => proceed?.()}>
            {t("roles.leave.do")}
          </Button>
        </>
      }
    >
      <p>{t("roles.leave.text")}</p>
    </Dialog>
  );
}
