import { t } from "../messages/text.js";
import { messageOf } from "../ui/state.js";
import { sayWrong } from "../ui/toast.js";
import { flushKeepers } from "../form/draft-keeper.js";
import { dropJournals } from "../form/journal.js";
import { sendJournals } from "../form/send-journals.js";
import { recentKey } from "../screens/home/recent.js";
import { api } from "./api.js";

const LANGUAGE = "plinth-language";

/** Texts are loaded once, so another language is another page. What is typed is in the journal. */
export function chooseLanguage(code: string): void {
  localStorage.setItem(LANGUAGE, code);
  location.reload();
}

/** The name of a language in that language. */
export const nameOfLanguage = (code: string): string =>
  new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;

/** Leaves nothing of the account in the browser but what the server does not have. */
export async function signOut(account: string): Promise<void> {
  try {
    if (!(await flushKeepers())) return sayWrong(t("account.notSent"));
    const sent = await sendJournals(account);
    await api("/session", { method: "DELETE" });
    await dropJournals(sent);
    localStorage.removeItem(recentKey(account));
    location.assign("/admin/sign-in");
  } catch (error) {
    sayWrong(messageOf(error));
  }
}
