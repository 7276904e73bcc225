/**
 * SQL of a text that changes whenever a row is written, by whatever statement: its id and the transaction that wrote it
 * last. A time would not do: a discarded draft takes an earlier one back, and values from another locale leave it alone.
 */
export function rowStamp(alias: string): string {
  return `${alias}.id::text || ':' || ${alias}.xmin::text`;
}
