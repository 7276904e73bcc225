import type { Finding } from "../database/doctor/finding.js";
import type { Examined, Health } from "../http/health.js";

/** What the health checks of plugins and of the app find now, of those that come with advice. Those that are well are left out. */
export async function examineChecks(health: Pick<Health, "examine">): Promise<readonly Finding[]> {
  const examined = await health.examine();
  return examined.filter(({ finding }) => finding.status !== "ok").flatMap(describe);
}

const describe = ({ name, advice, finding, hasFailed }: Examined): readonly Finding[] =>
  finding.problems ?? [
    {
      weight: hasFailed || finding.status !== "degraded" ? "error" : "warning",
      kind: "health check",
      where: name,
      what: String(finding["reason"] ?? `is ${finding.status}`),
      advice,
    },
  ];
