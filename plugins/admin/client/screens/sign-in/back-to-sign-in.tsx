import { t } from "../../messages/text.js";
import { buttonClass } from "../../ui/button.js";

/** Leads to where signing in begins. */
export const BackToSignIn = () => (
  <a className={buttonClass({ look: "quiet" })} href="/admin/sign-in">
    {t("forgotten.back")}
  </a>
);
