import { useSession } from "../../../app/session.js";
import type { FormPlace } from "../../../form/form-context.js";
import type { Taken } from "../../../form/transfer.js";
import { t } from "../../../messages/text.js";
import { messageOf } from "../../../ui/state.js";
import { sayDone, sayWrong } from "../../../ui/toast.js";
import type { OtherLanguage } from "./other-language.js";
import { takeValues } from "./take-values.js";

/** Takes values of another language into a form; what was taken is said, and can be undone. */
export function useTaking(to: FormPlace) {
  const session = useSession();
  return async (other: OtherLanguage, taken: readonly Taken[], what: string): Promise<void> => {
    try {
      const { missing, undo } = await takeValues(session, { from: other.form, to }, taken);
      const own = session.locales.find(({ code }) => code === to.locale)?.name ?? "";
      const done = t("languages.taken", { what, language: other.name });
      const text = missing === 0 ? done : `${done} ${t("languages.missingLinks", { count: missing, language: own })}`;
      sayDone(text, { label: t("action.undo"), run: undo });
    } catch (error) {
      sayWrong(messageOf(error));
    }
  };
}
