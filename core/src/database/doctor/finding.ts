/** What is wrong with a database, or could be better. */
export interface Finding {
  readonly kind:
    | "missing index"
    | "unused index"
    | "full scans"
    | "dead rows"
    | "small cache"
    | "wrong total"
    | "no statistics"
    | "schema";
  /** A table, an index, an attribute (`api::article.article views`) or a setting. */
  readonly where: string;
  readonly what: string;
  readonly advice: string;
}
