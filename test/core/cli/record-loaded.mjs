// For `node --import`: each thread of the process lists the packages that it has loaded in a file of the folder LOADED_FOLDER.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMainThread, threadId } from "node:worker_threads";
import { loadedPackages } from "../../house/loaded-packages.mjs";

const file = join(process.env["LOADED_FOLDER"] ?? "", `${process.pid}-${threadId}.json`);
const write = () => writeFileSync(file, JSON.stringify(loadedPackages()));

process.on("exit", write);
// A thread that is terminated is not told of its end.
if (!isMainThread) setInterval(write, 200).unref();
