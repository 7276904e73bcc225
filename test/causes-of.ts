/** The codes of an error and of what caused it: the kernel says in which phase it was. */
export const causesOf = (error: unknown): readonly unknown[] =>
  error instanceof Error ? [(error as { readonly code?: unknown }).code, ...causesOf(error.cause)] : [];
