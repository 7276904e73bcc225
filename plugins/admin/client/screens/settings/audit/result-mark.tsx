import type { AuditEntryView } from "../../../../src/wire/audit.js";
import { t } from "../../../messages/text.js";
import { Mark } from "../frame/settings-screen.js";

/** How it ended, where it did not go well. */
export const ResultMark = ({ result }: Pick<AuditEntryView, "result">) => (
  <Mark look={result === "failed" ? "wrong" : result === "accepted" ? "good" : "warn"}>
    {t(`audit.result.${result}`)}
  </Mark>
);
