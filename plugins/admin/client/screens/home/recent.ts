/** A document that was opened in this browser. */
export interface RecentDocument {
  readonly uid: string;
  readonly documentId: string;
  readonly locale: string | null;
  readonly title: string;
  /** ISO 8601. */
  readonly at: string;
}

const MAX_RECENT = 8;
/** Where this browser keeps them for an account. */
export const recentKey = (account: string): string => `plinth-recent-${account}`;

/** What an account opened last in this browser, the last first. */
export function recentDocuments(account: string): readonly RecentDocument[] {
  const text = localStorage.getItem(recentKey(account));
  return text === null ? [] : (JSON.parse(text) as readonly RecentDocument[]);
}

/** Puts a document first in the list. */
export function noteRecent(account: string, opened: RecentDocument): void {
  const isOther = ({ uid, documentId, locale }: RecentDocument) =>
    uid !== opened.uid || documentId !== opened.documentId || locale !== opened.locale;
  const next = [opened, ...recentDocuments(account).filter(isOther)].slice(0, MAX_RECENT);
  localStorage.setItem(recentKey(account), JSON.stringify(next));
}
