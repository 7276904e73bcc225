import { Link } from "@tanstack/react-router";
import { t } from "../messages/text.js";
import { buttonClass } from "../ui/button.js";
import { Empty } from "../ui/state.js";

/** An address of the page that leads nowhere. */
export function NotFound() {
  return (
    <Empty isScreen icon="search" title={t("notFound.title")} text={t("notFound.text")}>
      <Link to="/" className={buttonClass({})}>
        {t("notFound.home")}
      </Link>
    </Empty>
  );
}
