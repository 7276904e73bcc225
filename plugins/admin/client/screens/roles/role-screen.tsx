import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { RoleList, RoleView } from "../../../src/wire/roles.js";
import { Leaving } from "../../app/leaving.js";
import { takeStored } from "../../form/take-stored.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Banner, Bone, Failed, messageOf, useIsSlow } from "../../ui/state.js";
import { sayDone } from "../../ui/toast.js";
import { useSubmit } from "../../app/use-submit.js";
import { isSameGrant } from "./grant-model.js";
import { RoleForm, type RoleValues } from "./role-form.js";
import { useRoles } from "./roles-api.js";
import styles from "./roles.module.css";

/** One role: what it may do, as a matrix, and in words. */
export function RoleScreen() {
  const { role: name } = useParams({ strict: false });
  const { data, error, refetch, isPending, save } = useRoles();
  const isSlow = useIsSlow(isPending);
  if (error && !data)
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
  return <Editor key={role.name} role={role} list={data} save={save} refetch={refetch} />;
}

interface EditorProps {
  readonly role: RoleView;
  readonly list: RoleList;
  readonly save: ReturnType<typeof useRoles>["save"];
  readonly refetch: () => unknown;
}

const valuesOf = ({ grant, description, requiresSecondFactor }: RoleView): RoleValues => ({
  ...{ grant, description: description ?? "", requiresSecondFactor },
});

function Editor({ role, list, save, refetch }: EditorProps) {
  const { base, values, setValues, begin, isDirty, error, isBusy, submit } = useEdited(role, { save, refetch });
  const isOther = base.version !== role.version && !isBusy;
  // Who changed nothing sees what somebody else saved at once.
  if (isOther && !isDirty) begin();
  const isReadOnly = role.name === "super" || !role.mayChange;
  // No form of its own: those of the windows above it would send it, too.
  return (
    <div className={styles.screen}>
      <Leaving isAsked={isDirty} isBusy={isBusy} />
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
      {isOther && (
        <Banner kind="warn" action={<Button onClick={begin}>{t("roles.changed.read")}</Button>}>
          {t("roles.changed")}
        </Banner>
      )}
      {error !== undefined && !isOther && <Banner kind="wrong">{messageOf(error)}</Banner>}
      {isReadOnly && <Banner>{t(role.name === "super" ? "roles.super" : "roles.above")}</Banner>}
      {!isReadOnly && role.origin !== null && <Banner>{t(`roles.lockedBy.${role.origin}`)}</Banner>}
      <RoleForm role={role} list={list} values={values} isReadOnly={isReadOnly} onChange={setValues} />
    </div>
  );
}

/** What of a role is edited, upon the version that it was begun with. */
function useEdited(role: RoleView, { save, refetch }: Pick<EditorProps, "save" | "refetch">) {
  const [base, setBase] = useState(role);
  const [values, setValues] = useState(() => valuesOf(role));
  const before = valuesOf(base);
  const isDirty =
    !isSameGrant(values.grant, before.grant) ||
    values.description !== before.description ||
    values.requiresSecondFactor !== before.requiresSecondFactor;
  const { error, isBusy, submit, forget } = useSubmit(async () => {
    try {
      const saved = await save(base, { ...values, description: values.description || null });
      setBase(saved);
      setValues((now) => takeStored(now, values, valuesOf(saved)));
      sayDone(t("roles.saved", { name: role.name }));
    } catch (refused) {
      // It may be refused because somebody else saved it meanwhile.
      await refetch();
      throw refused;
    }
  });
  const begin = () => {
    setBase(role);
    setValues(valuesOf(role));
    forget();
  };
  return { base, values, setValues, begin, isDirty, error, isBusy, submit };
}
