const LANGUAGE = "plinth-language";

/** The name of a language in itself. */
export const nameOfLanguage = (code: string): string =>
  new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;

/** Texts are loaded once, so another language is another page. What is typed is in the journal. */
export function chooseLanguage(code: string): void {
  localStorage.setItem(LANGUAGE, code);
  location.reload();
}
