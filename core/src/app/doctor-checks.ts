import { unread } from "../database/doctor/examine-database.js";
import type { Finding } from "../database/doctor/finding.js";
import type { App } from "../kernel/app.js";

export type { Finding as DoctorFinding } from "../database/doctor/finding.js";

/** What `plinth doctor` finds in a part of the app. Changes nothing. */
export type DoctorCheck = (app: App) => Promise<readonly Finding[]>;

declare module "../kernel/registries.js" {
  interface Registries {
    doctor: DoctorCheck;
  }
}

/** What the checks of plugins find; one that fails is a finding itself. */
export async function examineParts(app: App): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [name, check] of app.registry("doctor").entries())
    findings.push(...(await check(app).catch((error: unknown) => [unread(name, error)])));
  return findings;
}
