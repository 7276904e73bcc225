/** Light, dark, or as the system has it. */
export type Theme = "system" | "light" | "dark";

/** The themes with their icons. */
export const THEMES = [
  { theme: "system", icon: "monitor" },
  { theme: "light", icon: "sun" },
  { theme: "dark", icon: "moon" },
] as const;

const KEY = "plinth-theme";

/** What was chosen in this browser. */
export const themeNow = (): Theme => (localStorage.getItem(KEY) as Theme | null) ?? "system";

/** Chooses, for this browser. */
export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  showTheme();
}

/** Puts what was chosen on the page. */
export function showTheme(): void {
  const theme = themeNow();
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
