import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import type { UserRoleDetails } from "../../../../src/wire/end-users.js";
import { useSession } from "../../../app/session.js";
import { useSubmit } from "../../../app/use-submit.js";
import { t } from "../../../messages/text.js";
import { Field, TextInput, tiedTo } from "../../../ui/field.js";
import { sayDone } from "../../../ui/toast.js";
import { ActionMatrix, type ChangeActions } from "../action-matrix.js";
import { BackLink } from "../frame/back-link.js";
import { type Refusal, refusalOf } from "../frame/refusal.js";
import { SaveBar } from "../frame/save-bar.js";
import styles from "../frame/settings.module.css";
import { Card, Loaded, SettingsScreen } from "../frame/settings-screen.js";
import { type ChangeDraft, useDraft } from "../frame/use-draft.js";
import { groupActions } from "../group-actions.js";
import { withActions } from "../with-actions.js";
import { GrantsOfCode } from "./grants-of-code.js";
import { ROLES_ACTION, useRoleActions, useRoleWrites, useUserRole } from "./role-requests.js";
import { RoleMarks, RoleMenu } from "./roles-screen.js";

const route = getRouteApi("/settings/user-roles/$id");
const FIELDS = ["name", "description"];

/** One role, or a new one. */
export function UserRoleScreen() {
  const { id } = route.useParams();
  const isNew = id === "new";
  const role = useUserRole(isNew ? undefined : id);
  const actions = useRoleActions();
  const question = {
    data: actions.data && (isNew || role.data) ? { role: role.data?.data, actions: actions.data.data } : undefined,
    error: role.error ?? actions.error,
    isPending: actions.isPending || (!isNew && role.isPending),
    refetch: () => Promise.all([actions.refetch(), ...(isNew ? [] : [role.refetch()])]),
  };
  return (
    <Loaded of={question} action={ROLES_ACTION}>
      {(known) => <RoleEditor key={id} {...known} />}
    </Loaded>
  );
}

interface RoleDraft {
  readonly name: string;
  readonly description: string;
  readonly granted: ReadonlySet<string>;
}

interface RoleEditorProps {
  readonly role: UserRoleDetails | undefined;
  /** What can be granted. */
  readonly actions: readonly string[];
}

const draftOf = (role: UserRoleDetails | undefined): RoleDraft => ({
  name: role?.name ?? "",
  description: role?.description ?? "",
  granted: new Set(role?.stored),
});

function RoleEditor({ role, actions }: RoleEditorProps) {
  const [base, setBase] = useState(() => draftOf(role));
  const [draft, change] = useDraft(base);
  const writes = useRoleWrites();
  const navigate = useNavigate();
  const leave = () => navigate({ to: "/settings/user-roles", ignoreBlocker: true });
  const save = useSubmit(async () => {
    const changes = changesBetween(base, draft);
    if (role) await writes.update(role.documentId, changes);
    else await writes.create({ name: draft.name, description: draft.description, grant: changes.grant ?? [] });
    sayDone(t("userRoles.saved", { name: draft.name }));
    if (!role) await leave();
    setBase(draft);
  });
  const refusal = refusalOf(save.error, FIELDS);
  return (
    <SettingsScreen
      title={role ? base.name : t("userRoles.new")}
      back={<BackLink to="/settings/user-roles">{t("userRoles.title")}</BackLink>}
      text={role && <RoleMarks role={role} />}
      actions={role && <RoleMenu role={role} onGone={leave} />}
      isWide
    >
      {refusal.general && (
        <p role="alert" className={styles.wrong}>
          {refusal.general}
        </p>
      )}
      <About {...{ role, draft, refusal, change }} />
      <Rights {...{ role, actions, draft, change }} />
      {role && role.byCode.length > 0 && <GrantsOfCode role={role} />}
      <SaveBar
        isChanged={isOther(base, draft)}
        isBusy={save.isBusy}
        label={role ? t("action.save") : t("userRoles.create")}
        onSave={save.submit}
      />
    </SettingsScreen>
  );
}

/** Only what changed: somebody else may change the role at the same time. */
function changesBetween(base: RoleDraft, { name, description, granted }: RoleDraft) {
  const grant = [...granted].filter((action) => !base.granted.has(action));
  const revoke = [...base.granted].filter((action) => !granted.has(action));
  return {
    ...(name === base.name ? {} : { name }),
    ...(description === base.description ? {} : { description }),
    ...(grant.length > 0 ? { grant } : {}),
    ...(revoke.length > 0 ? { revoke } : {}),
  };
}

const isOther = (base: RoleDraft, draft: RoleDraft): boolean => Object.keys(changesBetween(base, draft)).length > 0;

interface PartProps {
  readonly role: UserRoleDetails | undefined;
  readonly draft: RoleDraft;
  readonly change: ChangeDraft<RoleDraft>;
}

function About({ role, draft, refusal: { byField }, change }: PartProps & { readonly refusal: Refusal }) {
  return (
    <Card title={t("userRoles.about")}>
      <div className={styles.pair}>
        <Field
          label={t("userRoles.name")}
          isRequired
          hint={role ? t("userRoles.type", { type: role.type }) : undefined}
          problems={byField.get("name") ?? []}
        >
          {(ids) => (
            <TextInput
              {...tiedTo(ids)}
              value={draft.name}
              maxLength={255}
              onChange={({ target }) => change({ name: target.value })}
            />
          )}
        </Field>
        <Field label={t("tokens.description")} problems={byField.get("description") ?? []}>
          {(ids) => (
            <TextInput
              {...tiedTo(ids)}
              value={draft.description}
              maxLength={255}
              onChange={({ target }) => change({ description: target.value })}
            />
          )}
        </Field>
      </div>
    </Card>
  );
}

function Rights({ role, actions, draft, change }: PartProps & Pick<RoleEditorProps, "actions">) {
  const { types } = useSession();
  const groups = useMemo(() => groupActions(actions, types), [actions, types]);
  const locked = useMemo(() => lockedBy(role), [role]);
  const set: ChangeActions = useCallback(
    (changed, isGranted) => change(({ granted }) => ({ granted: withActions(granted, changed, isGranted) })),
    [change],
  );
  return (
    <Card title={t("userRoles.may")} hint={t(role?.isPublic ? "userRoles.may.public" : "userRoles.may.hint")}>
      <ActionMatrix groups={groups} granted={draft.granted} locked={locked} onChange={set} />
    </Card>
  );
}

/** What code grants, with the place that does: the first one holds. */
function lockedBy(role: UserRoleDetails | undefined): ReadonlyMap<string, string> {
  const places = [...(role?.byCode ?? [])].reverse();
  return new Map(
    places.flatMap(({ source, actions }) =>
      actions.map((action) => [action, t("userRoles.byCode", { source })] as const),
    ),
  );
}
