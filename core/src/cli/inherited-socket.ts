/** The first descriptor that is handed over. @source https://www.freedesktop.org/software/systemd/man/latest/sd_listen_fds.html, SD_LISTEN_FDS_START */
const FIRST = 3;

/**
 * The socket that systemd has opened for a process, by `LISTEN_FDS` and `LISTEN_PID`. It outlives the process: who connects
 * while that is replaced waits, and is not refused.
 *
 * @returns its descriptor; undefined where there is none, or where it is meant for another process, such as a parent
 */
export function inheritedSocket(
  variables: Readonly<Record<string, string | undefined>>,
  pid: number,
): number | undefined {
  const isOurs = variables["LISTEN_PID"] === String(pid) && Number(variables["LISTEN_FDS"]) > 0;
  return isOurs ? FIRST : undefined;
}
