import { writeFileSync } from "node:fs";
import { readsByFile } from "./reads.js";
import { describeStatement, statementsUrl } from "./statements.js";

for (const [name, reads] of readsByFile)
  writeFileSync(statementsUrl(name), `${reads.map(describeStatement).join("\n\n")}\n`);
