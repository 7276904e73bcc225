import { Session } from "node:inspector";

/**
 * The addresses of the scripts that this thread has loaded: the debugger is told of every one that is there when it comes.
 *
 * @returns {readonly string[]}
 */
export function loadedScripts() {
  const found = new Set();
  const session = new Session();
  session.connect();
  session.on("Debugger.scriptParsed", ({ params }) => {
    found.add(params.url);
  });
  session.post("Debugger.enable");
  session.disconnect();
  return [...found];
}

/**
 * The packages of node_modules of which this thread has loaded a module, of either kind.
 *
 * @returns {readonly string[]}
 */
export function loadedPackages() {
  const names = loadedScripts().map((url) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))];
}
