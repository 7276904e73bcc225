import type { QueryClient } from "@tanstack/react-query";

/** Has lists, counts, pickers and versions read again when they are next shown: a document was written, which any of them may name. */
export async function forgetLists(queries: QueryClient): Promise<void> {
  await Promise.all(
    ["content", "candidates", "history"].map((first) => queries.invalidateQueries({ queryKey: [first] })),
  );
}
