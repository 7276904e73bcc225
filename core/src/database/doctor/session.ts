import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../driver/database.js";
import type { Finding } from "./finding.js";

/** Milliseconds in which the listener of a process that has just started has to receive its own message. */
const PATIENCE = 3_000;
const PAUSE = 50;

/** Whether sessions of the pool have the settings that the app needs, and messages of other processes arrive. */
export async function examineSession({
  fault,
  messages,
}: Pick<Database, "fault" | "messages">): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  if (fault)
    findings.push({
      ...{ weight: "error", kind: "session settings", where: "database", what: fault.message },
      advice: "Run plinth database settings, and apply what it says to the role.",
    });
  for (const end = performance.now() + PATIENCE; !messages.isListening && performance.now() < end; ) await sleep(PAUSE);
  if (!messages.isListening)
    findings.push({
      ...{ weight: "error", kind: "listener", where: "database.listen" },
      what: "receives nothing: caches are off, and each request with credentials asks the database",
      advice: "LISTEN needs a session of its own: behind a pooler, `listen` is an address past it.",
    });
  return findings;
}
