import { isScalarKind, SCALAR_TRAITS, type ScalarTraits } from "../../schema/attribute.js";
import { findStored } from "../../schema/find-field.js";
import type { Attribute, Component, ContentType, Shape } from "../../schema/model.js";
import { UncompilableError } from "../errors.js";
import { identifier, literal } from "../sql/sql.js";

/**
 * One row that SQL can read attributes of: a table row (by its alias) or a component inside a jsonb (by an
 * expression that yields the object). Code that reads it need not know which.
 */
export interface RowSource {
  readonly shape: Shape;
  /** Alias of the table row; undefined inside components. */
  readonly alias: string | undefined;
  /** Typed SQL value of a scalar or system field, for conditions and orders. */
  value(field: string): string;
  /** SQL value of a scalar or system field in the form it has on the wire. */
  output(field: string): string;
  /** What is stored for a relation, component or zone, as it is: a document id, a jsonb. */
  stored(field: string): string;
}

/** A row of a content-type's table. */
export function tableRow(type: ContentType, alias: string): RowSource {
  const column = (field: string) => `${alias}.${identifier(columnOf(type, field))}`;
  return {
    shape: type,
    alias,
    value: column,
    output: (field) => fieldTraits(type, field).output(column(field)),
    stored: column,
  };
}

/** A component read from `object`, an SQL expression of type jsonb. */
export function componentRow(component: Component, object: string): RowSource {
  return {
    shape: component,
    alias: undefined,
    value: (field) => fieldTraits(component, field).fromJson(object, literal(field)),
    output: (field) => `${object} -> ${literal(field)}`,
    stored: (field) => `(${object} -> ${literal(field)})`,
  };
}

/** What is known of the kind of a scalar or system field. @throws PLINTH_QUERY_UNCOMPILABLE */
export function fieldTraits(shape: Shape, field: string): ScalarTraits {
  const system = (shape as Partial<ContentType>).systemFields?.get(field);
  if (system) return SCALAR_TRAITS[system.kind];
  if (field === "id") return SCALAR_TRAITS.id;
  const { kind } = attributeOf(shape, field);
  if (!isScalarKind(kind)) throw new UncompilableError({ uid: shape.uid, field });
  return SCALAR_TRAITS[kind];
}

/** The attribute of a name, of any kind. @throws PLINTH_QUERY_UNCOMPILABLE */
export function attributeOf(shape: Shape, field: string): Attribute {
  const attribute = findStored(shape, field);
  if (!attribute) throw new UncompilableError({ uid: shape.uid, field });
  return attribute;
}

function columnOf(type: ContentType, field: string): string {
  const system = type.systemFields.get(field);
  if (system) return system.column;
  const { column } = attributeOf(type, field);
  if (column === undefined) throw new UncompilableError({ uid: type.uid, field });
  return column;
}
