import type { ContentModel } from "@plinth/core/schema";

/** Tags of one answer beyond which it is not kept: caches bound the header, and a purge would nearly always meet it. */
export const MOST_TAGS = 50;

/** What stands for every answer that shows a content-type: `t:articles`, by its table, which is short and unique. */
export function tagOfType({ contentTypes }: ContentModel, uid: string): string {
  return `t:${contentTypes.get(uid)?.table ?? uid}`;
}

/** What stands for the answers about one document. */
export const tagOfDocument = (documentId: string): string => `d:${documentId}`;
