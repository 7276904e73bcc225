import { type FormEvent, useState } from "react";
import type { SchemaChange } from "../../../src/wire/builder.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { CheckControl, SelectControl, TextControl } from "./controls.js";
import { shapesOf, withNew } from "./draft.js";
import { kebab, pluralOf, snake } from "./names.js";
import { useDraft } from "./use-builder.js";

interface NewShapeProps {
  readonly shape: "type" | "component";
  readonly onClose: () => void;
  readonly onMade: (uid: string) => void;
}

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Asks for the names of a new type or component; the rest is in its form. */
export function NewShapeDialog({ shape, onClose, onMade }: NewShapeProps) {
  const { draft, change } = useDraft();
  const [form, setForm] = useState<Form>(EMPTY);
  const [isAsked, setAsked] = useState(false);
  const names = namesOf(form);
  const made = shape === "type" ? newType(form, names) : newComponent(form, names);
  const isTaken = shapesOf(draft).some(({ uid }) => uid === made.uid);
  const second = shape === "type" ? names.plural : names.category;
  const problems = {
    singular: NAME.test(names.singular)
      ? isTaken
        ? [t("builder.taken", { uid: made.uid })]
        : []
      : [t("builder.kebab")],
    second: NAME.test(second) && second !== names.singular ? [] : [t("builder.kebab")],
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problems.singular.length + problems.second.length > 0) return setAsked(true);
    change((current) => withNew(current, made));
    onClose();
    onMade(made.uid);
  };
  const set = (next: Partial<Form>) => setForm({ ...form, ...next });
  const shown = (list: readonly string[]) => (isAsked ? list : []);
  return (
    <Dialog isOpen title={t(shape === "type" ? "builder.newType" : "builder.newComponent")} onClose={onClose}>
      <form onSubmit={submit} style={{ display: "grid", gap: "var(--space-4)" }}>
        <TextControl
          label={t("builder.displayName")}
          isRequired
          value={form.displayName}
          onChange={(displayName) => set({ displayName })}
        />
        <TextControl
          isCode
          label={t("builder.singular")}
          hint={t(shape === "type" ? "builder.singular.hint" : "builder.file.hint")}
          value={names.singular}
          problems={shown(problems.singular)}
          onChange={(singular) => set({ singular })}
        />
        {shape === "type" ? (
          <TypeFields {...{ form, names, set }} problems={shown(problems.second)} />
        ) : (
          <TextControl
            isCode
            label={t("builder.categoryName")}
            value={names.category}
            problems={shown(problems.second)}
            onChange={(category) => set({ category })}
          />
        )}
        <div>
          <Button look="primary" type="submit">
            {t("builder.make")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface Form {
  readonly displayName: string;
  /** Undefined: made from what stands before it. */
  readonly singular?: string;
  readonly plural?: string;
  readonly category?: string;
  readonly kind: "collectionType" | "singleType";
  readonly hasDrafts: boolean;
}

const EMPTY: Form = { displayName: "", kind: "collectionType", hasDrafts: true };

interface Names {
  readonly singular: string;
  readonly plural: string;
  readonly category: string;
}

function namesOf({ displayName, singular, plural, category = "shared" }: Form): Names {
  const one = singular ?? kebab(displayName);
  return { singular: one, plural: plural ?? (one === "" ? "" : pluralOf(one)), category };
}

interface TypeFieldsProps {
  readonly form: Form;
  readonly names: Names;
  readonly problems: readonly string[];
  readonly set: (next: Partial<Form>) => void;
}

function TypeFields({ form, names, problems, set }: TypeFieldsProps) {
  return (
    <>
      <TextControl
        isCode
        label={t("builder.plural")}
        hint={t("builder.plural.hint")}
        value={names.plural}
        problems={problems}
        onChange={(plural) => set({ plural })}
      />
      <SelectControl
        label={t("builder.kindOfType")}
        value={form.kind}
        choices={[
          { value: "collectionType", label: t("builder.collection") },
          { value: "singleType", label: t("builder.single") },
        ]}
        onChange={(kind) => set({ kind: kind as Form["kind"] })}
      />
      <CheckControl
        label={t("builder.drafts")}
        hint={t("builder.drafts.hint")}
        value={form.hasDrafts}
        onChange={(hasDrafts) => set({ hasDrafts })}
      />
    </>
  );
}

function newType({ displayName, kind, hasDrafts }: Form, { singular, plural }: Names): Omit<SchemaChange, "base"> {
  return {
    ...{ uid: `api::${singular}.${singular}`, shape: "type" },
    schema: {
      ...{ kind, collectionName: snake(plural) },
      info: { singularName: singular, pluralName: plural, displayName },
      options: { draftAndPublish: hasDrafts },
      attributes: {},
    },
  };
}

function newComponent({ displayName }: Form, { singular, category }: Names): Omit<SchemaChange, "base"> {
  return {
    ...{ uid: `${category}.${singular}`, shape: "component" },
    schema: { info: { displayName }, attributes: {} },
  };
}
