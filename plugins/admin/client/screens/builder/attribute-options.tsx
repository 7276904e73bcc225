import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { type KindOption, kindOf } from "./attribute-kinds.js";
import type { AttributeProps, OptionTools } from "./attribute-props.js";
import styles from "./builder.module.css";
import { ConditionOptions } from "./condition-options.js";
import {
  CheckControl,
  ChecksControl,
  LinesControl,
  NumberControl,
  Section,
  SelectControl,
  TextControl,
} from "./controls.js";
import { DefaultControl } from "./default-control.js";
import { allAttributesOf, type DraftedShape, getAt, type RawAttribute, setAt, shapesOf } from "./draft.js";
import { ComponentOptions } from "./component-options.js";
import { RelationOptions } from "./relation-options.js";
import { problemsAt, problemText, useDraft } from "./use-builder.js";

/** Every option of an attribute beside its name. */
export function AttributeOptions(props: AttributeProps) {
  const { shape, name, attribute, isReadOnly, onChange } = props;
  const { problems } = useDraft();
  const tools: OptionTools = {
    get: (...path) => getAt(attribute, path),
    set: (path, value) => onChange(setAt(attribute, path, value) as RawAttribute),
    at: (path) => problemsAt(problems, shape.uid, `attributes.${name}.${path}`).map(problemText),
  };
  const { type } = attribute;
  return (
    <div className={styles.stack}>
      {type === "relation" && <RelationOptions {...props} {...tools} />}
      {(type === "component" || type === "dynamiczone") && (
        <ComponentOptions {...{ attribute, isReadOnly, ...tools }} />
      )}
      {type === "media" && <MediaTypes {...{ isReadOnly, ...tools }} />}
      <div className={styles.pair}>
        {(kindOf(attribute)?.options ?? []).map((option) => (
          <OptionControl key={`${String(type)} ${option.key}`} {...{ option, props, tools }} />
        ))}
      </div>
      <CommonOptions {...{ shape, attribute, isReadOnly, ...tools }} />
      <ShownOptions {...{ isReadOnly, ...tools }} />
      <ConditionOptions {...{ shape, name, isReadOnly, ...tools }} />
    </div>
  );
}

type PartProps = OptionTools & { readonly isReadOnly: boolean };

function OptionControl(props: {
  readonly option: KindOption;
  readonly props: AttributeProps;
  readonly tools: OptionTools;
}) {
  const { option, tools } = props;
  const { shape, attribute, isReadOnly } = props.props;
  const { key, control } = option;
  const common = { isReadOnly, label: t(`builder.option.${key}` as never), problems: tools.at(key) };
  const value = tools.get(key);
  const set = (next: unknown) => tools.set([key], next);
  switch (control) {
    case "switch":
      return <CheckControl {...common} value={value === true} onChange={(next) => set(next || undefined)} />;
    case "count":
    case "number":
      return <NumberControl {...common} value={value as number | undefined} onChange={set} />;
    case "lines":
      return (
        <LinesControl
          {...common}
          hint={t("builder.lines.hint")}
          value={Array.isArray(value) ? value.join("\n") : ""}
          onChange={(text) =>
            set(
              text
                .split("\n")
                .filter((line, index, all) => line !== "" || (index === all.length - 1 && all.length > 1)),
            )
          }
        />
      );
    case "default":
      return <DefaultControl {...{ attribute, ...common }} onChange={set} />;
    case "field":
      return (
        <SelectControl
          {...common}
          value={String(value ?? "")}
          choices={[{ value: "", label: t("builder.none") }, ...textAttributes(shape)]}
          onChange={(next) => set(next || undefined)}
        />
      );
    default:
      return (
        <TextControl
          {...common}
          isCode={control === "pattern"}
          hint={control === "pattern" ? t("builder.regex.hint") : undefined}
          value={String(value ?? "")}
          onChange={(next) => set(next || undefined)}
        />
      );
  }
}

const textAttributes = (shape: DraftedShape) =>
  Object.entries(allAttributesOf(shape))
    .filter(([, { type }]) => type === "string" || type === "text")
    .map(([name]) => ({ value: name, label: name }));

const FILE_TYPES = ["images", "videos", "audios", "files"] as const;

function MediaTypes({ isReadOnly, get, set, at }: PartProps) {
  const value = get("allowedTypes");
  return (
    <ChecksControl
      label={t("builder.option.allowedTypes")}
      choices={FILE_TYPES.map((type) => ({ value: type, label: t(`builder.files.${type}`) }))}
      values={Array.isArray(value) ? value.map(String) : []}
      problems={at("allowedTypes")}
      isReadOnly={isReadOnly}
      onChange={(next) =>
        set(
          ["allowedTypes"],
          FILE_TYPES.filter((type) => next.includes(type)),
        )
      }
    />
  );
}

function CommonOptions({
  shape,
  attribute,
  isReadOnly,
  get,
  set,
  at,
}: PartProps & Pick<AttributeProps, "shape" | "attribute">) {
  const { draft } = useDraft();
  const { plugins } = useSession();
  const isOfLocale = getAt(shape.schema, ["pluginOptions", "i18n", "localized"]) === true;
  const isAlways = attribute["type"] === "relation" || attribute["type"] === "uid";
  const flag = (key: string) => ({
    ...{ isReadOnly, label: t(`builder.option.${key}` as never), hint: t(`builder.option.${key}.hint` as never) },
    problems: at(key),
  });
  const hasParts = shapesOf(draft).length > 0 && shape.shape === "type";
  return (
    <Section label={t("builder.rules")}>
      <CheckControl
        {...flag("required")}
        value={get("required") === true}
        onChange={(on) => set(["required"], on || undefined)}
      />
      <CheckControl
        {...flag("private")}
        value={get("private") === true}
        onChange={(on) => set(["private"], on || undefined)}
      />
      <CheckControl
        {...flag("writable")}
        value={get("writable") === false}
        onChange={(on) => set(["writable"], on ? false : undefined)}
      />
      {plugins.includes("i18n") && hasParts && isOfLocale && !isAlways && (
        <CheckControl
          {...{ isReadOnly, label: t("builder.localized"), hint: t("builder.attributeLocalized.hint") }}
          problems={at("pluginOptions.i18n")}
          value={get("pluginOptions", "i18n", "localized") === true}
          onChange={(on) => set(["pluginOptions", "i18n", "localized"], on || undefined)}
        />
      )}
    </Section>
  );
}

const WIDTHS = [3, 4, 6, 8, 9, 12] as const;

/** How the page shows the attribute. */
function ShownOptions({ isReadOnly, get, set, at }: PartProps) {
  const page = (key: string) => ({
    ...{ isReadOnly, label: t(`builder.page.${key}` as never), problems: at(`pluginOptions.admin.${key}`) },
    value: String(get("pluginOptions", "admin", key) ?? ""),
  });
  const write = (key: string) => (value: string) => set(["pluginOptions", "admin", key], value || undefined);
  const widths = WIDTHS.map((width) => ({ value: String(width), label: t("builder.columns", { width }) }));
  return (
    <Section label={t("builder.onPage")}>
      <TextControl {...page("label")} onChange={write("label")} />
      <TextControl {...page("hint")} onChange={write("hint")} />
      <TextControl {...page("placeholder")} onChange={write("placeholder")} />
      <SelectControl
        {...page("width")}
        choices={[{ value: "", label: t("builder.byKind") }, ...widths]}
        onChange={(value) => set(["pluginOptions", "admin", "width"], value === "" ? undefined : Number(value))}
      />
      {(["visible", "editable"] as const).map((key) => (
        <CheckControl
          key={key}
          {...{ isReadOnly, label: t(`builder.page.${key}`), problems: at(`pluginOptions.admin.${key}`) }}
          value={get("pluginOptions", "admin", key) !== false}
          onChange={(on) => set(["pluginOptions", "admin", key], on ? undefined : false)}
        />
      ))}
    </Section>
  );
}
