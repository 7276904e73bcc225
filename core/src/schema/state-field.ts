// The state of a document as a field that lists of the admin page are filtered by.
import type { Component, ScalarAttribute } from "./model.js";

/** The states of a document in one locale; `modified`: the draft was changed after it was published. */
export const STATES = ["draft", "modified", "published"] as const;

/** The name in filters; no attribute can have it. */
export const STATE_FIELD = "_state";

const attribute: ScalarAttribute = {
  ...{ kind: "enumeration", name: STATE_FIELD, column: STATE_FIELD, values: STATES },
  ...{ required: true, isPrivate: false, isWritable: false, isLocalized: true, renamedFrom: undefined },
  ...{ unique: false, index: false, defaultValue: undefined, enumName: undefined, searchable: false },
  ...{ min: undefined, max: undefined, minLength: undefined, maxLength: undefined, regex: undefined },
  ...{ targetField: undefined, autoGenerate: false },
};

/** A shape with that field alone, so that conditions on it are read and compiled as those on any other. */
export const STATE_SHAPE: Component = {
  ...{ shape: "component", uid: "plinth.state", displayName: "State", category: "plinth", file: undefined },
  attributes: new Map([[STATE_FIELD, attribute]]),
};
