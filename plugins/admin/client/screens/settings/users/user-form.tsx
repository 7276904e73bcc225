import { useEffect, useMemo, useState } from "react";
import type { EndUser, UserRole } from "../../../../src/wire/end-users.js";
import type { AttributeView } from "../../../../src/wire/model.js";
import { useSession } from "../../../app/session.js";
import { useSubmit } from "../../../app/use-submit.js";
import { FieldGrid } from "../../../fields/field-grid.js";
import { FieldInput } from "../../../fields/field-input.js";
import { changesOf, wholeOf } from "../../../form/changes.js";
import { isAlike } from "../../../form/equal.js";
import { FormProvider, useIsChanged, useProblems, useValue } from "../../../form/form-context.js";
import { type Attributes, flatten, type Shapes } from "../../../form/shape.js";
import { FormStore } from "../../../form/store.js";
import { t } from "../../../messages/text.js";
import { Field, Select, tiedTo } from "../../../ui/field.js";
import { sayDone } from "../../../ui/toast.js";
import { SaveBar } from "../frame/save-bar.js";
import styles from "../frame/settings.module.css";
import { Card } from "../frame/settings-screen.js";
import { UserPassword } from "./user-password.js";
import { userRefusal } from "./user-refusal.js";
import { useUserWrites } from "./user-requests.js";

const USER = "plugin::users-permissions.user";

interface UserFormProps {
  readonly user: EndUser | undefined;
  /** What the app added to users. */
  readonly attributes: Attributes;
  readonly roles: readonly UserRole[];
  readonly minLength: number;
  readonly onMade: () => unknown;
}

/** Links, files and components need a document of the content around them. */
const NOT_HERE: ReadonlySet<AttributeView["kind"]> = new Set(["relation", "media", "component", "dynamiczone", "uid"]);

/** Changes a user, or makes one. */
export function UserForm({ user, attributes, roles, minLength, onMade }: UserFormProps) {
  const session = useSession();
  const { shown, others } = useMemo(() => split(attributes), [attributes]);
  const own = useMemo(() => ownAttributes(), []);
  const [store] = useState(() => storeOf(session, { ...own, ...shown }, user, roles));
  useReadAgain(store, user);
  const place = useMemo(
    () => ({
      ...{ store, uid: USER, documentId: user?.documentId ?? null, ownId: user?.documentId },
      ...{ locale: undefined, isReadOnly: false, Input: FieldInput },
    }),
    [store, user?.documentId],
  );
  return (
    <FormProvider value={place}>
      <Card title={t("users.account")}>
        <FieldGrid layout={Object.keys(own).map((name) => [name])} attributes={own} path="" />
        <RoleField roles={roles} />
        <UserPassword minLength={minLength} isNew={!user} />
      </Card>
      {Object.keys(shown).length > 0 && (
        <Card title={t("users.more")}>
          <FieldGrid layout={Object.keys(shown).map((name) => [name])} attributes={shown} path="" />
        </Card>
      )}
      {others.length > 0 && (
        <p className={styles.small}>{t("users.notHere", { names: others.map(({ label }) => label).join(", ") })}</p>
      )}
      <Save store={store} user={user} onMade={onMade} />
    </FormProvider>
  );
}

/** A user who was changed elsewhere, such as by the menu above, is shown as they are, unless somebody is changing them here. */
function useReadAgain(store: FormStore, user: EndUser | undefined): void {
  useEffect(() => {
    if (user && store.changedBelow("") === 0) rebase(store, user);
  }, [store, user]);
}

function split(attributes: Attributes) {
  const all = Object.entries(attributes);
  return {
    shown: Object.fromEntries(all.filter(([, { kind }]) => !NOT_HERE.has(kind))),
    others: all.map(([, view]) => view).filter(({ kind }) => NOT_HERE.has(kind)),
  };
}

const PLAIN = {
  ...{ hint: null, placeholder: null, isRequired: false, isEditable: true },
  ...{ isVisible: true, isLocalized: false, isUnique: false },
} as const;

/** Those of every app, as its forms show them. */
const ownAttributes = (): Attributes => ({
  username: { ...PLAIN, kind: "string", label: t("users.username"), width: 6, isRequired: true, maxLength: 254 },
  email: { ...PLAIN, kind: "email", label: t("users.email"), width: 6, isRequired: true, maxLength: 254 },
  confirmed: {
    ...{ ...PLAIN, kind: "boolean", label: t("users.confirmed"), width: 6, default: false },
    hint: t("users.confirmed.hint"),
  },
  blocked: {
    ...{ ...PLAIN, kind: "boolean", label: t("users.blocked"), width: 6, default: false },
    hint: t("users.blocked.hint"),
  },
});

function storeOf(
  shapes: Shapes,
  attributes: Attributes,
  user: EndUser | undefined,
  roles: readonly UserRole[],
): FormStore {
  const first = { confirmed: true, blocked: false, ...defaultsOf(attributes) };
  const flat = flatten(shapes, attributes, user ?? first);
  const role = user ? user.role?.documentId : roles.find(({ isDefault }) => isDefault)?.documentId;
  flat.leaves.set("role", role ?? null);
  return new FormStore(shapes, attributes, flat);
}

const defaultsOf = (attributes: Attributes) =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([name, view]) => view.default !== undefined && name !== "confirmed")
      .map(([name, view]) => [name, view.default]),
  );

function RoleField({ roles }: { readonly roles: readonly UserRole[] }) {
  const [value, set] = useValue<string | null>("role");
  const problems = useProblems("role");
  return (
    <Field label={t("users.role")} hint={t("users.role.hint")} isRequired problems={problems}>
      {(ids) => (
        <Select {...tiedTo(ids)} value={value ?? ""} onChange={({ target }) => set(target.value)}>
          {value === null && <option value="">–</option>}
          {roles.map(({ documentId, name }) => (
            <option key={documentId} value={documentId}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

interface SaveProps extends Pick<UserFormProps, "user" | "onMade"> {
  readonly store: FormStore;
}

function Save({ store, user, onMade }: SaveProps) {
  const writes = useUserWrites();
  const isChanged = useIsChanged("");
  const save = useSubmit(async () => {
    const sent = new Map(store.leaves);
    try {
      const done = user
        ? await writes.update(user.documentId, { ...changesOf(store), ...extrasOf(store) })
        : await writes.create({ ...wholeOf(store), ...extrasOf(store, true) });
      rebase(store, done.data, sent);
      sayDone(t(user ? "users.saved" : "users.made", { name: done.data.username }));
      if (!user) await onMade();
    } catch (error) {
      const { problems, general } = userRefusal(error);
      store.setProblems(problems);
      throw general ?? new Error(t("settings.correct"));
    }
  });
  return (
    <>
      {save.error instanceof Error && (
        <p role="alert" className={styles.wrong}>
          {save.error.message}
        </p>
      )}
      <SaveBar
        isChanged={isChanged}
        isBusy={save.isBusy}
        label={user ? t("action.save") : t("users.create")}
        onSave={save.submit}
      />
    </>
  );
}

/** Role and password, where they are others. */
function extrasOf(store: FormStore, isWhole = false): Readonly<Record<string, unknown>> {
  const [role, password] = [store.get("role"), store.get("password")];
  const isNew = isWhole || role !== store.baseOf("role");
  return { ...(isNew ? { role } : {}), ...(password || isWhole ? { password: password ?? "" } : {}) };
}

/**
 * What is stored is what there is; a password that was set is not shown again.
 *
 * @param sent - what the form held when it was saved: what was typed since stays
 */
function rebase(store: FormStore, user: EndUser, sent: ReadonlyMap<string, unknown> = store.leaves): void {
  const flat = flatten(store.shapes, store.attributes, user);
  flat.leaves.set("role", user.role?.documentId ?? null);
  const typed = [...store.leaves].filter(([path, value]) => !isAlike(value, sent.get(path)));
  store.rebase(flat, new Map([...flat.leaves, ...typed]));
}
