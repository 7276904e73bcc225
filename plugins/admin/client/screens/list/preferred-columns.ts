/** Where this browser keeps the columns that an account chose for a type. */
const keyOf = (account: string, uid: string): string => `plinth-columns-${account}-${uid}`;

/** The columns that an account chose in this browser; undefined: none. */
export function preferredColumns(account: string, uid: string): readonly string[] | undefined {
  const text = localStorage.getItem(keyOf(account, uid));
  return text === null ? undefined : text.split(",");
}

/** Keeps the columns for the next time that the address names none. */
export function preferColumns(account: string, uid: string, columns: readonly string[] | undefined): void {
  if (columns) localStorage.setItem(keyOf(account, uid), columns.join(","));
  else localStorage.removeItem(keyOf(account, uid));
}
