import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import styles from "./builder.module.css";
import { CheckControl, LinesControl, SelectControl, TextControl } from "./controls.js";
import { type DraftedShape, getAt, recordOf, setAt, setKey, withSchema } from "./draft.js";
import { snake } from "./names.js";
import { problemsAt, problemText, useDraft } from "./use-builder.js";

interface OptionsProps {
  readonly shape: DraftedShape;
  readonly isReadOnly: boolean;
}

/** Names of a type or component, and what its documents are. */
export function BasicOptions({ shape, isReadOnly }: OptionsProps) {
  const { problems, change } = useDraft();
  const { uid, schema } = shape;
  const at = (path: string) => problemsAt(problems, uid, path).map(problemText);
  const set = (path: readonly string[], value: unknown) =>
    change((draft) => withSchema(draft, uid, setAt(schema, path, value)));
  const info = recordOf(schema["info"]);
  const text = (key: string) => String(info[key] ?? "");
  return (
    <section className={styles.sheet} aria-label={t("builder.basics")}>
      <h3>{t("builder.basics")}</h3>
      <div className={styles.pair}>
        <TextControl
          label={t("builder.displayName")}
          {...{ isReadOnly, value: text("displayName"), problems: at("info.displayName") }}
          onChange={(value) => set(["info", "displayName"], value)}
        />
        <LinesControl
          label={t("builder.description")}
          {...{ isReadOnly, value: text("description"), problems: at("info.description") }}
          onChange={(value) => set(["info", "description"], value || undefined)}
        />
      </div>
      {shape.shape === "type" && <TypeOptions {...{ shape, isReadOnly, at, set }} />}
    </section>
  );
}

interface TypeOptionsProps extends OptionsProps {
  readonly at: (path: string) => readonly string[];
  readonly set: (path: readonly string[], value: unknown) => void;
}

function TypeOptions({ shape, isReadOnly, at, set }: TypeOptionsProps) {
  const { plugins } = useSession();
  const { change } = useDraft();
  const { schema, uid } = shape;
  const info = recordOf(schema["info"]);
  const setPlural = (plural: string) =>
    change((draft) => withSchema(draft, uid, withPlural(schema, plural, shape.state === "new")));
  return (
    <>
      <div className={styles.pair}>
        <TextControl
          isCode
          label={t("builder.singular")}
          hint={t("builder.singular.hint")}
          {...{ isReadOnly, value: String(info["singularName"] ?? ""), problems: at("info.singularName") }}
          onChange={(value) => set(["info", "singularName"], value)}
        />
        <TextControl
          isCode
          label={t("builder.plural")}
          hint={t("builder.plural.hint")}
          {...{ isReadOnly, value: String(info["pluralName"] ?? ""), problems: at("info.pluralName") }}
          onChange={setPlural}
        />
      </div>
      <TableName {...{ shape, isReadOnly, at }} />
      <SelectControl
        label={t("builder.kindOfType")}
        {...{ isReadOnly, value: String(schema["kind"] ?? "collectionType"), problems: at("kind") }}
        choices={[
          { value: "collectionType", label: t("builder.collection") },
          { value: "singleType", label: t("builder.single") },
        ]}
        onChange={(value) => set(["kind"], value)}
      />
      <CheckControl
        label={t("builder.drafts")}
        hint={t("builder.drafts.hint")}
        {...{ isReadOnly, value: getAt(schema, ["options", "draftAndPublish"]) === true }}
        problems={at("options.draftAndPublish")}
        onChange={(value) => set(["options", "draftAndPublish"], value)}
      />
      {plugins.includes("i18n") && (
        <CheckControl
          label={t("builder.localized")}
          hint={t("builder.localized.hint")}
          {...{ isReadOnly, value: getAt(schema, ["pluginOptions", "i18n", "localized"]) === true }}
          problems={at("pluginOptions.i18n")}
          onChange={(value) => set(["pluginOptions", "i18n", "localized"], value || undefined)}
        />
      )}
    </>
  );
}

/** The table of a type keeps its name when the type gets another plural: nothing has to move then. */
function withPlural(schema: DraftedShape["schema"], plural: string, isNew: boolean): DraftedShape["schema"] {
  const last = String(recordOf(schema["info"])["pluralName"] ?? "");
  const table = isNew ? snake(plural) : (schema["collectionName"] ?? snake(last));
  return setAt(setKey(schema, "collectionName", table), ["info", "pluralName"], plural);
}

/** The table; a new name is noted as a renaming, so that its rows stay. */
function TableName({ shape, isReadOnly, at }: OptionsProps & Pick<TypeOptionsProps, "at">) {
  const { draft, change } = useDraft();
  const { schema, uid } = shape;
  const stored = draft.views.get(uid)?.schema;
  const tableOf = (of: DraftedShape["schema"] | undefined) =>
    String(of?.["collectionName"] ?? snake(String(recordOf(of?.["info"])["pluralName"] ?? "")));
  const rename = (table: string) => {
    const former = stored && tableOf(stored) !== table ? tableOf(stored) : stored?.["renamedFrom"];
    change((current) =>
      withSchema(current, uid, setKey(setKey(schema, "collectionName", table), "renamedFrom", former)),
    );
  };
  return (
    <TextControl
      isCode
      label={t("builder.table")}
      hint={t("builder.table.hint")}
      {...{ isReadOnly, value: tableOf(schema), problems: [...at("collectionName"), ...at("renamedFrom")] }}
      onChange={rename}
    />
  );
}
