const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** What people call a locale: `French (fr)`; the code where there is no such language. */
export function localeName(code: string): string {
  const name = languageOf(code.replaceAll("_", "-"));
  return name === undefined ? code : `${name} (${code})`;
}

/** A code such as `en-x` has the form of ours and not that of a language tag. */
function languageOf(tag: string): string | undefined {
  try {
    return names.of(tag);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
