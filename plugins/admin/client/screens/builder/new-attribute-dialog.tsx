import { type FormEvent, useState } from "react";
import type { AttributeKind } from "../../../src/wire/model.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { kindLabel, newAttribute } from "./attribute-kinds.js";
import { nameProblem } from "./attribute-name.js";
import { AttributeOptions } from "./attribute-options.js";
import { TextControl } from "./controls.js";
import { type DraftedShape, type RawAttribute, withAttribute } from "./draft.js";
import { type RelationChange, withRelation } from "./edit-attributes.js";
import { useDraft } from "./use-builder.js";

interface NewAttributeProps {
  readonly shape: DraftedShape;
  readonly kind: AttributeKind;
  readonly onClose: () => void;
  readonly onAdded: (name: string) => void;
}

/** Asks for the name and the options of a new attribute. */
export function NewAttributeDialog({ shape, kind, onClose, onAdded }: NewAttributeProps) {
  const { change } = useDraft();
  const [name, setName] = useState("");
  const [attribute, setAttribute] = useState<RawAttribute>(() => newAttribute(kind));
  const [relation, setRelation] = useState<RelationChange>();
  const [isAsked, setAsked] = useState(false);
  const problem = nameProblem(shape, name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem !== undefined) return setAsked(true);
    change((draft) => {
      const added = withAttribute(draft, shape.uid, name, attribute);
      return relation ? withRelation(added, shape.uid, name, relation) : added;
    });
    onAdded(name);
  };
  return (
    <Dialog isOpen shape="drawer" title={t("builder.newAttribute", { kind: t(kindLabel(kind)) })} onClose={onClose}>
      <form onSubmit={submit} style={{ display: "grid", gap: "var(--space-4)" }}>
        <TextControl
          isCode
          isRequired
          label={t("builder.name")}
          hint={t("builder.name.hint")}
          value={name}
          problems={isAsked && problem !== undefined ? [problem] : []}
          onChange={setName}
        />
        <AttributeOptions
          {...{ shape, name, attribute, relation, isReadOnly: false, isNew: true }}
          onChange={setAttribute}
          onRelation={setRelation}
        />
        <div>
          <Button look="primary" type="submit">
            {t("builder.add")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
