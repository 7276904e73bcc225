import type { Route } from "@plinth/core";
import { handlerOf, type RequestInfo, type RouteSource } from "@plinth/core/http";
import { type OptionProblem, parseOptions } from "@plinth/core/options";
import type { Span } from "../calendar/past-and-planned.js";
import { readCalendar } from "../calendar/read-calendar.js";
import { InvalidPlanError } from "../errors.js";
import { time } from "../forms.js";
import { textParam } from "./bodies.js";
import { describeCalendar } from "./describe-calendar.js";
import { RELEASES_ACTION } from "./release-routes.js";

/** Days that one request may ask for. */
const MOST_DAYS = 400;
const DAY = 86_400_000;

/** `/admin/api/schedule`: what is planned, and what came of it, for every administrator: of documents that they see. */
export const calendarRoutes: RouteSource = {
  createRoutes: ({ app }): readonly Route[] => {
    const policies = [{ name: "plugin::api-tokens.is-administrator", config: { anyRole: true } }];
    const handler = handlerOf(async (request) => {
      const mayRelease = request.actor.ability.can(RELEASES_ACTION);
      const { entries, isCut } = await readCalendar(app, spanOf(request), request, mayRelease);
      return { status: 200, body: { data: entries, meta: { isCut } } };
    });
    const config = { auth: false, prefix: "/admin/api", policies } as const;
    return [{ method: "GET", path: "/schedule", handler, type: "root", config, description: describeCalendar }];
  },
};

/** @throws PLINTH_SCHEDULE_INVALID (400) */
function spanOf(request: RequestInfo): Span {
  const errors: OptionProblem[] = [];
  const timeOf = (path: string): Date => {
    const { value, problems = [] } = parseOptions(time, textParam(request, path) ?? "", path);
    errors.push(...problems);
    return value ?? new Date(Number.NaN);
  };
  const [from, to] = [timeOf("from"), timeOf("to")];
  const days = (to.getTime() - from.getTime()) / DAY;
  if (errors.length === 0 && !(days > 0 && days <= MOST_DAYS))
    errors.push({ path: "to", message: `must be after from, and at most ${MOST_DAYS} days` });
  if (errors.length > 0) throw new InvalidPlanError({ errors });
  return { from, to, type: textParam(request, "type") };
}
