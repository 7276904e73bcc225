import { setTimeout as sleep } from "node:timers/promises";
import type { PlinthApp } from "@plinth/core";
import { doctorCommand } from "#core/cli/doctor-command.js";
import type { Finding } from "#core/database/doctor/finding.js";
import { runCommand } from "../../run-command.js";

/** What `GET /health/ready` says of one check on the management port; the status code with it. */
export async function askHealth(plinth: PlinthApp, check: string) {
  const response = await fetch(`${plinth.management()}/health/ready`);
  const { status, checks } = (await response.json()) as {
    readonly status: string;
    readonly checks: Readonly<Record<string, { readonly status: string; readonly reason?: string }>>;
  };
  return { code: response.status, status, found: checks[check] };
}

/** Seconds until a check finds what it should. */
export async function untilHealth(plinth: PlinthApp, check: string, status: string): Promise<number> {
  const since = performance.now();
  for (;;) {
    const asked = await askHealth(plinth, check);
    if (asked.found?.status === status) return (performance.now() - since) / 1_000;
    await sleep(50);
  }
}

/** What `plinth doctor` finds by a health check; undefined where it is well. */
export async function doctorOn({ app }: PlinthApp, check: string): Promise<Finding | undefined> {
  const { stdout } = await runCommand(doctorCommand, app, { options: { json: true } });
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  return findings.find(({ kind, where }) => kind === "health check" && where === check);
}
