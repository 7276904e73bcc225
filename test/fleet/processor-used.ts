// What a process under load says of its processor time.

let last = process.cpuUsage();

/** Milliseconds of processor that this process has used since the last call, or since its start. */
export function processorUsed(): number {
  const { user, system } = process.cpuUsage(last);
  last = process.cpuUsage();
  return (user + system) / 1_000;
}
