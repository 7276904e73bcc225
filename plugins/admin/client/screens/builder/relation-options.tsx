import { useState } from "react";
import { t } from "../../messages/text.js";
import { nameProblem } from "./attribute-name.js";
import type { AttributeProps, OptionTools } from "./attribute-props.js";
import styles from "./builder.module.css";
import { CheckControl, SelectControl, TextControl } from "./controls.js";
import { attributesOf, type DraftedShape, labelOf, shapeOf, shapesOf } from "./draft.js";
import { isTwoWayKind, otherSideOf, type RelationChange } from "./edit-attributes.js";
import { useDraft } from "./use-builder.js";

const RELATIONS = [
  "manyToOne",
  "oneToOne",
  "oneToMany",
  "manyToMany",
  "morphToOne",
  "morphToMany",
  "morphOne",
  "morphMany",
] as const;

/** What a relation leads to, and whether its target shows it as well. */
export function RelationOptions(props: AttributeProps & OptionTools) {
  const { shape, attribute, isReadOnly, get, set, at } = props;
  const { draft } = useDraft();
  const current = props.relation ?? relationOf(attribute);
  const types = shapesOf(draft).filter((each) => each.shape === "type" && each.state !== "removed");
  const forms = RELATIONS.filter(
    (form) => shape.shape === "type" || (!form.startsWith("morphO") && form !== "morphMany"),
  );
  const change = (next: Partial<RelationChange>) => {
    const relation = { ...current, ...next };
    const isPolymorphic = relation.relation.startsWith("morphTo");
    props.onRelation({
      relation: relation.relation,
      target: isPolymorphic ? "" : relation.target,
      other: isTwoWayKind(relation.relation) ? relation.other : undefined,
    });
  };
  return (
    <>
      <SelectControl
        label={t("builder.option.relation")}
        value={current.relation}
        choices={forms.map((form) => ({ value: form, label: t(`builder.relation.${form}`) }))}
        problems={at("relation")}
        isReadOnly={isReadOnly}
        onChange={(relation) => change({ relation })}
      />
      {!current.relation.startsWith("morphTo") && (
        <SelectControl
          label={t("builder.option.target")}
          value={current.target}
          choices={[
            { value: "", label: t("builder.pick") },
            ...types.map((type) => ({ value: type.uid, label: `${labelOf(type)} (${type.uid})` })),
          ]}
          problems={at("target")}
          isReadOnly={isReadOnly}
          onChange={(target) => change({ target, other: undefined })}
        />
      )}
      {shape.shape === "type" && isTwoWayKind(current.relation) && <OtherSide {...props} {...{ current, change }} />}
      {/^morph(One|Many)$/.test(current.relation) && (
        <TextControl
          isCode
          label={t("builder.option.morphBy")}
          value={String(get("morphBy") ?? "")}
          problems={at("morphBy")}
          isReadOnly={isReadOnly}
          onChange={(value) => set(["morphBy"], value || undefined)}
        />
      )}
    </>
  );
}

interface OtherSideProps extends AttributeProps, OptionTools {
  readonly current: RelationChange;
  readonly change: (next: Partial<RelationChange>) => void;
}

function OtherSide({ shape, isReadOnly, at, current, change }: OtherSideProps) {
  const { draft } = useDraft();
  const target = shapeOf(draft, current.target);
  if (!target) return null;
  if (!target.isChangeable && current.other === undefined)
    return <p className={styles.soft}>{t("builder.oneWayOnly", { type: labelOf(target) })}</p>;
  const suggested = freeName(attributesOf(target), String(nameFor(shape.uid, current.relation)));
  return (
    <>
      <CheckControl
        label={t("builder.twoWay", { type: labelOf(target) })}
        hint={t("builder.twoWay.hint")}
        value={current.other !== undefined}
        isReadOnly={isReadOnly}
        onChange={(isOn) => change({ other: isOn ? suggested : undefined })}
      />
      {current.other !== undefined && (
        <OtherName
          {...{ target, isReadOnly, name: current.other, problems: [...at("inversedBy"), ...at("mappedBy")] }}
          onRename={(other) => change({ other })}
        />
      )}
    </>
  );
}

interface OtherNameProps {
  readonly target: DraftedShape;
  readonly name: string;
  readonly problems: readonly string[];
  readonly isReadOnly: boolean;
  readonly onRename: (name: string) => void;
}

/** As with any name, half of one is that of another attribute. */
function OtherName({ target, name, problems, isReadOnly, onRename }: OtherNameProps) {
  const [typed, setTyped] = useState(name);
  const problem = nameProblem(target, typed, name);
  const rename = () => {
    if (problem === undefined && typed !== name) onRename(typed);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it takes note of the input inside
    <div onBlur={rename} onKeyDown={({ key }) => key === "Enter" && rename()}>
      <TextControl
        isCode
        label={t("builder.otherSide", { type: labelOf(target) })}
        value={typed}
        problems={[...(problem === undefined ? [] : [problem]), ...problems]}
        isReadOnly={isReadOnly || !target.isChangeable}
        onChange={setTyped}
      />
    </div>
  );
}

/** What the target would call those that lead to it: many of them as a plural. */
function nameFor(uid: string, relation: string): string {
  const name = (uid.split(".").at(-1) ?? "other").replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return relation === "manyToOne" || relation === "manyToMany" ? `${name}s` : name;
}

function freeName(taken: object, wanted: string): string {
  let name = wanted;
  for (let number = 2; Object.hasOwn(taken, name); number += 1) name = `${wanted}${number}`;
  return name;
}

const relationOf = (attribute: AttributeProps["attribute"]): RelationChange => ({
  relation: String(attribute["relation"] ?? "manyToOne"),
  target: String(attribute["target"] ?? ""),
  other: otherSideOf(attribute),
});
