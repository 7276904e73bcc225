import { buildModel } from "#core/schema/build-model.js";
import { SchemaInvalidError, type SchemaProblem } from "#core/schema/errors.js";
import type { ContentModel } from "#core/schema/model.js";
import type { RawAttribute, RawComponent, RawContentType } from "#core/schema/raw.js";

/** Attributes of a schema file by name. */
export type Attributes = Record<string, RawAttribute>;

/** A content-type of the app: `post` is `api::post.post`, from the file `post.json`. */
export function type(name: string, attributes: Attributes, more: Partial<RawContentType> = {}): RawContentType {
  const info = { singularName: name, pluralName: `${name}s`, displayName: name };
  return { uid: `api::${name}.${name}`, file: `${name}.json`, info, attributes, ...more };
}

/** A component, from a file of its name. */
export function component(uid: string, attributes: Attributes): RawComponent {
  return { uid, file: `${uid}.json`, attributes };
}

/** The model of these schemas. */
export function modelOf(contentTypes: RawContentType[], components: RawComponent[] = []): ContentModel {
  return buildModel({ contentTypes, components });
}

/** What is wrong with these schemas; empty when nothing is. */
export function problemsOf(contentTypes: RawContentType[], components: RawComponent[] = []): readonly SchemaProblem[] {
  try {
    modelOf(contentTypes, components);
  } catch (error) {
    if (SchemaInvalidError.is(error)) return error.details.problems;
    throw error;
  }
  return [];
}

/** The problems of one type with these attributes, as `path: message`. */
export function complaints(attributes: Attributes): string[] {
  return problemsOf([type("post", attributes)]).map(({ path, message }) => `${path}: ${message}`);
}
