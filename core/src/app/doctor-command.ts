import { examineDatabase, type Examination } from "../database/doctor/examine-database.js";
import type { Finding } from "../database/doctor/finding.js";
import type { StatementUse } from "../database/doctor/slow-statements.js";
import { repairTotals } from "../database/doctor/totals.js";
import type { Command, CommandContext } from "./command.js";

/** Characters of a statement that are shown in the table; all of it is in the JSON. */
const SHOWN_TEXT = 100;

/** `plinth doctor`: slow statements, missing indexes and wrong totals, by PostgreSQL's own statistics. */
export const doctorCommand: Command = {
  description: "show slow statements, missing indexes and what else PostgreSQL's statistics tell",
  options: { "--json": "print JSON", "--repair": "count the totals of all content-types anew" },
  async run({ app, options, print, table }) {
    if (options["repair"]) await repairTotals(app.db, app.model);
    const examination = await examineDatabase(app.db, app.model);
    print(options["json"] ? JSON.stringify(examination, undefined, 2) : describe(examination, table));
  },
};

function describe({ statements, findings }: Examination, table: CommandContext["table"]): string {
  const slow = statements && statements.length > 0 ? [describeStatements(statements, table)] : [];
  const found = findings.length > 0 ? describeFindings(findings, table) : "No problems found.";
  return [...slow, found].join("\n\n");
}

function describeStatements(statements: readonly StatementUse[], table: CommandContext["table"]): string {
  const rows = statements.map(({ calls, mean, total, text }) => [
    String(calls),
    mean.toFixed(2),
    (total / 1000).toFixed(1),
    text.replaceAll(/\s+/g, " ").slice(0, SHOWN_TEXT),
  ]);
  return table(["CALLS", "MS EACH", "S IN ALL", "STATEMENT"], rows);
}

function describeFindings(findings: readonly Finding[], table: CommandContext["table"]): string {
  const rows = findings.map(({ kind, where, what, advice }) => [kind, where, `${what}. ${advice}`]);
  return table(["FOUND", "WHERE", "WHAT, AND WHAT TO DO"], rows);
}
