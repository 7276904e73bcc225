import { type ComponentType, memo } from "react";
import type { AttributeKind } from "../../src/wire/model.js";
import { BooleanField } from "./choice/boolean-field.js";
import { EnumerationField } from "./choice/enumeration-field.js";
import { BlocksField } from "./code/blocks-field.js";
import { CodeField } from "./code/code-field.js";
import { DateField } from "./date/date-field.js";
import { ExtensionField } from "./extension-field.js";
import type { InputProps } from "./field-props.js";
import { ComponentField } from "./items/component-field.js";
import { ItemsField } from "./items/items-field.js";
import { MediaField } from "./media/media-field.js";
import { NumberField } from "./number/number-field.js";
import { RelationField } from "./relation/relation-field.js";
import { PasswordField } from "./text/password-field.js";
import { TextField } from "./text/text-field.js";
import { UidField } from "./text/uid-field.js";

const BY_KIND: Readonly<Record<AttributeKind, ComponentType<InputProps>>> = {
  string: TextField,
  text: TextField,
  email: TextField,
  uid: UidField,
  password: PasswordField,
  richtext: CodeField,
  json: CodeField,
  blocks: BlocksField,
  integer: NumberField,
  biginteger: NumberField,
  float: NumberField,
  decimal: NumberField,
  boolean: BooleanField,
  enumeration: EnumerationField,
  date: DateField,
  time: DateField,
  datetime: DateField,
  timestamp: DateField,
  media: MediaField,
  relation: RelationField,
  component: ComponentField,
  dynamiczone: ItemsField,
};

/** The field of an attribute, by its kind. What is drawn again around it does not draw a list with all its cards again. */
export const FieldInput = memo((props: InputProps) => {
  const Input = BY_KIND[props.attribute.kind];
  return props.attribute.field === undefined ? <Input {...props} /> : <ExtensionField {...props} Own={Input} />;
});
