import { resolve } from "node:path";
import type { CommandCall, ProjectCommand } from "../app/command.js";
import { ArchiveOptionError } from "../app/archive/errors.js";
import type { ContentDifference } from "../app/drill/compare-content.js";
import type { DrillReport } from "../app/drill/run-drill.js";
import { coreVersion } from "./core-package.js";

/** `plinth drill`: proves that a backup can be restored; ends with 1 where it cannot. */
export const drillCommand: ProjectCommand = {
  description:
    "restore a backup beside the app, start on it and compare its content; ends with 1 where it is not equal",
  arguments: ["[archive]"],
  options: {
    "--database <url>": "restore to this PostgreSQL database, not to an embedded one that is removed afterwards",
    "--restore <command>": "have this command restore your backup into --database, and compare it with the archive",
    "--rpo <minutes>": "end with 1 where more would be lost",
    "--rto <minutes>": "end with 1 where it takes longer",
    "--json": "print JSON",
    "--no-limits": "take archives of any size; only for one whose author you trust",
  },
  async runOnProject({ project, arguments: { archive }, options, print, table, say, fail }) {
    const [database, restore] = [options["database"], options["restore"]] as (string | undefined)[];
    if (restore !== undefined && database === undefined)
      throw new ArchiveOptionError({ option: "--restore", value: restore, expected: "given with --database" });
    const limits = { rpo: minutesOf("--rpo", options["rpo"]), rto: minutesOf("--rto", options["rto"]) };
    const { runDrill } = await import("../app/drill/run-drill.js");
    const { NO_READ_LIMITS, READ_LIMITS } = await import("../app/archive/read-guard.js");
    const report = await runDrill(project, {
      archive: archive === undefined ? undefined : resolve(project.root, archive),
      ...{ database, restore, say, version: coreVersion() },
      limits: options["limits"] === false ? NO_READ_LIMITS : READ_LIMITS,
    });
    const failures = failuresOf(report, limits);
    print(options["json"] ? JSON.stringify({ ...report, failures }, undefined, 2) : describe(report, failures, table));
    if (failures.length > 0) fail();
  },
};

const describeDifference = ({ uid, wanted, found }: ContentDifference): string =>
  wanted.versions === found.versions
    ? `${uid}: its ${found.versions} versions say something else than those of the archive`
    : `${uid}: ${found.versions} versions, not the ${wanted.versions} of the archive`;

/** In seconds. */
interface Limits {
  readonly rpo: number | undefined;
  readonly rto: number | undefined;
}

function minutesOf(option: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const minutes = Number(value);
  if (Number.isFinite(minutes) && minutes > 0) return minutes * 60;
  throw new ArchiveOptionError({ option, value: String(value), expected: "a number of minutes" });
}

function failuresOf(report: DrillReport, limits: Limits): readonly string[] {
  const { differences, missingFiles, findings, rpo, rto } = report;
  const errors = findings.filter(({ weight }) => weight === "error");
  return [
    ...differences.map(describeDifference),
    ...missingFiles.map((key) => `the archive lacks the bytes of ${key}`),
    ...errors.map(({ kind, where, what }) => `doctor: ${kind} ${where}: ${what}`),
    ...(limits.rpo !== undefined && (rpo ?? Number.POSITIVE_INFINITY) > limits.rpo
      ? [`more than ${limits.rpo / 60} minutes of writes would be lost`]
      : []),
    ...(limits.rto !== undefined && rto > limits.rto ? [`it took longer than ${limits.rto / 60} minutes`] : []),
  ];
}

function describe(report: DrillReport, failures: readonly string[], table: CommandCall["table"]): string {
  const { archive, createdAt, versions, wantedHash, foundHash, rpo, rto, findings } = report;
  const rows = [
    ["backup", `${archive === "-" ? "of the app as it is" : archive}, ${createdAt ?? "of an unknown time"}`],
    ["restored", `${versions} versions`],
    ["content", wantedHash === foundHash ? `equal, ${foundHash}` : `differs: ${foundHash}, not ${wantedHash}`],
    ["doctor", `${findings.length} findings, ${findings.filter(({ weight }) => weight === "error").length} errors`],
    ["RPO", rpo === undefined ? "unknown" : durationOf(rpo)],
    ["RTO", durationOf(rto)],
  ];
  const verdict = failures.length === 0 ? "The backup can be restored." : `The drill failed:\n${failures.join("\n")}`;
  return `${table(["DRILL", "RESULT"], rows)}\n\n${verdict}`;
}

/** `3 h 20 min`, `12.3 s` */
function durationOf(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
