// Stands for `npx plinth` in a terminal of the tests: hands a command to their process, and ends as it ended there.
// Usage: node plinth.mjs <socket> <argument>...
import { once } from "node:events";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";

const [path, ...args] = process.argv.slice(2);
// Only `-` reads what is piped into it; a terminal would keep others waiting.
const input = args.includes("-") ? (await buffer(process.stdin)).toString("base64") : undefined;
const socket = connect(path);
socket.write(`${JSON.stringify({ args, cwd: process.cwd(), env: process.env, input })}\n`);
const answer = buffer(socket);
await once(socket, "end");
const { code, stdout, stderr } = JSON.parse(await answer);
process.stdout.write(Buffer.from(stdout, "base64"));
process.stderr.write(stderr);
process.exitCode = code;
