import { useState } from "react";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { type Conversion, conversionOf, kindLabel, kindOf, kindsAfter, withKind } from "./attribute-kinds.js";
import { nameProblem } from "./attribute-name.js";
import { AttributeOptions } from "./attribute-options.js";
import styles from "./builder.module.css";
import { SelectControl, TextControl } from "./controls.js";
import {
  type Attributes,
  attributesOf,
  type DraftedShape,
  type RawAttribute,
  storedName,
  withAttribute,
} from "./draft.js";
import { renamedAttribute, withRelation } from "./edit-attributes.js";
import { problemsAt, problemText, useDraft } from "./use-builder.js";

interface DrawerProps {
  readonly shape: DraftedShape;
  readonly name: string;
  readonly isReadOnly: boolean;
  readonly onRename: (name: string) => void;
  readonly onClose: () => void;
}

/** Every option of an attribute. What is changed is in the draft at once. */
export function AttributeDrawer({ shape, name, isReadOnly, onRename, onClose }: DrawerProps) {
  const { change } = useDraft();
  const attribute = attributesOf(shape)[name];
  if (!attribute) return null;
  const set = (next: RawAttribute) => change((draft) => withAttribute(draft, shape.uid, name, next));
  return (
    <Dialog
      isOpen
      shape="drawer"
      title={t("builder.attribute", { name })}
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          {t("builder.done")}
        </Button>
      }
    >
      <div className={styles.stack}>
        <NameControl {...{ shape, name, attribute, isReadOnly, onRename }} />
        <KindControl {...{ shape, name, attribute, isReadOnly }} onChange={set} />
        <AttributeOptions
          {...{ shape, name, attribute, isReadOnly, isNew: false }}
          onChange={set}
          onRelation={(relation) => change((draft) => withRelation(draft, shape.uid, name, relation))}
        />
      </div>
    </Dialog>
  );
}

interface PartProps extends Pick<DrawerProps, "shape" | "name" | "isReadOnly"> {
  readonly attribute: RawAttribute;
}

/** A name is taken over when the reader is done with it: half of it would be the name of another attribute. */
function NameControl({ shape, name, attribute, isReadOnly, onRename }: PartProps & Pick<DrawerProps, "onRename">) {
  const { draft, change, problems } = useDraft();
  const [typed, setTyped] = useState(name);
  const stored = storedName(draft, shape.uid, name, attribute);
  const problem = nameProblem(shape, typed, name);
  const wrong = problemsAt(problems, shape.uid, `attributes.${name}.renamedFrom`).map(problemText);
  const rename = () => {
    if (problem !== undefined || typed === name) return;
    change((current) => renamedAttribute(current, shape.uid, name, typed));
    onRename(typed);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it takes note of the input inside
    <div onBlur={rename} onKeyDown={({ key }) => key === "Enter" && rename()}>
      <TextControl
        isCode
        label={t("builder.name")}
        hint={
          stored === undefined || stored === name ? t("builder.rename.hint") : t("builder.wasNamed", { name: stored })
        }
        value={typed}
        problems={[...(problem === undefined ? [] : [problem]), ...wrong]}
        isReadOnly={isReadOnly}
        onChange={setTyped}
      />
    </div>
  );
}

const TEXTS = {
  kept: "builder.conversion.kept",
  converted: "builder.conversion.converted",
  lost: "builder.conversion.lost",
} as const satisfies Record<Conversion, string>;

function KindControl({
  shape,
  name,
  attribute,
  isReadOnly,
  onChange,
}: PartProps & { readonly onChange: (next: RawAttribute) => void }) {
  const { draft } = useDraft();
  const kind = kindOf(attribute);
  if (!kind) return null;
  const stored = (draft.views.get(shape.uid)?.schema["attributes"] ?? {}) as Attributes;
  const before = stored[storedName(draft, shape.uid, name, attribute) ?? ""];
  const isOther = before !== undefined && before["type"] !== attribute["type"];
  const offered = kindsAfter(before ?? attribute).filter(
    (info) => shape.shape === "type" || info.kind !== "dynamiczone",
  );
  return (
    <SelectControl
      label={t("builder.kind")}
      hint={isOther ? t(TEXTS[conversionOf(before, attribute, shape.shape === "component")]) : t("builder.kind.hint")}
      value={kind.kind}
      choices={offered.map((info) => ({ value: info.kind, label: t(kindLabel(info.kind)) }))}
      isReadOnly={isReadOnly}
      onChange={(next) => onChange(withKind(before?.["type"] === next ? before : attribute, next as never))}
    />
  );
}
