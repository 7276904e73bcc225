import type { Planner } from "../../../src/wire/plans.js";
import { formatDate } from "../../messages/formats.js";
import { t } from "../../messages/text.js";

/** A moment by the clocks of a zone, which it names: `Thu, Jan 31, 2030, 10:00 AM GMT+1`. */
export const momentText = (moment: string, zone: string): string =>
  formatDate(new Date(moment), {
    ...{ weekday: "short", year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" },
    ...{ timeZone: zone, timeZoneName: "short" },
  });

/** The time of day by the clocks of a zone. */
export const timeText = (moment: string, zone: string): string =>
  formatDate(new Date(moment), { timeStyle: "short", timeZone: zone });

/** Who planned something, in words. */
export function plannerText(by: Planner | null): string {
  if (!by) return t("plan.by.code");
  if (by.name) return by.name;
  if (by.kind === "admin") return t("plan.by.gone");
  return by.kind === "api-token" ? t("plan.by.token") : t("plan.by.user");
}
