import { useCallback, useSyncExternalStore } from "react";
import type { AttributeView } from "../../src/wire/model.js";
import { holds, namesIn } from "../form/conditions.js";
import { useForm, useIsChanged, usePeopleAt } from "../form/form-context.js";
import { below, type Path } from "../form/paths.js";
import { FieldMark, frameOf } from "../live/faces.js";
import styles from "./items/items.module.css";

interface FieldGridProps {
  readonly layout: readonly (readonly string[])[];
  readonly attributes: Readonly<Record<string, AttributeView>>;
  /** Of what the attributes belong to. */
  readonly path: Path;
}

/** The fields of a type or of a component, in rows of twelve columns. */
export function FieldGrid({ layout, attributes, path }: FieldGridProps) {
  return (
    <div className={styles.grid}>
      {layout.flat().map((name) => {
        const attribute = attributes[name];
        return attribute?.isVisible ? (
          <PlacedField key={name} attribute={attribute} parent={path} path={below(path, name)} />
        ) : null;
      })}
    </div>
  );
}

interface PlacedFieldProps {
  readonly attribute: AttributeView;
  readonly parent: Path;
  readonly path: Path;
}

function PlacedField({ attribute, parent, path }: PlacedFieldProps) {
  const { isReadOnly, Input, Frame } = useForm();
  const isChanged = useIsChanged(path);
  const people = usePeopleAt(path);
  if (!useCondition(attribute.condition, parent)) return null;
  const input = <Input attribute={attribute} path={path} isReadOnly={isReadOnly || !attribute.isEditable} />;
  return (
    <div
      id={`place-${path}`}
      {...frameOf(people)}
      data-width={Frame ? 12 : attribute.width}
      data-differs={isReadOnly && isChanged}
    >
      <FieldMark people={people} />
      {Frame ? (
        <Frame attribute={attribute} path={path}>
          {input}
        </Frame>
      ) : (
        input
      )}
    </div>
  );
}

/** Whether a condition holds now. A field that it hides keeps its value. */
function useCondition(condition: unknown, parent: Path): boolean {
  const { store } = useForm();
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = namesIn(condition).map((name) => store.subscribe(below(parent, name), listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [store, condition, parent],
  );
  const read = () => condition === undefined || holds(condition, (name) => store.get(below(parent, name)) ?? null);
  return useSyncExternalStore(subscribe, read);
}
