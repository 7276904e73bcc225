import type { ContentModel, ContentType } from "./model.js";

/**
 * A model as administrators see it: `createdBy` and `updatedBy` are attributes of every content-type. The same object for
 * the same model; its locales are those of the model.
 */
export function withAuthors(model: ContentModel): ContentModel {
  const known = views.get(model);
  if (known) return known;
  const contentTypes = new Map([...model.contentTypes].map(([uid, type]) => [uid, typeWithAuthors(type)]));
  // The locales of a model change, so all else is inherited.
  const view = Object.freeze(Object.create(model, { contentTypes: { value: contentTypes } })) as ContentModel;
  views.set(model, view);
  return view;
}

const views = new WeakMap<ContentModel, ContentModel>();

function typeWithAuthors(type: ContentType): ContentType {
  return { ...type, attributes: new Map([...type.attributes, ...type.authors]) };
}
