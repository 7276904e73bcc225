import { Session } from "node:inspector";

/**
 * The packages of node_modules of which this thread has loaded a module, of either kind: the debugger is told of every script
 * that is there when it comes.
 *
 * @returns {readonly string[]}
 */
export function loadedPackages() {
  const found = new Set();
  const session = new Session();
  session.connect();
  session.on("Debugger.scriptParsed", ({ params }) => {
    const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(params.url) ?? [];
    if (name !== undefined) found.add(name);
  });
  session.post("Debugger.enable");
  session.disconnect();
  return [...found];
}
