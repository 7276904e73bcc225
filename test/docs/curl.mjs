// As much of curl as the documentation uses, for machines that have none: -s -g -X -H -d -w and an address.
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: "boolean", short: "s" },
    globoff: { type: "boolean", short: "g" },
    request: { type: "string", short: "X" },
    header: { type: "string", short: "H", multiple: true, default: [] },
    data: { type: "string", short: "d" },
    "write-out": { type: "string", short: "w", default: "" },
  },
});
const [url = ""] = positionals;
if (!values.globoff && /[[\]{}]/.test(url)) throw new Error(`curl reads the brackets of ${url} as its own; say -g`);

const method = values.request ?? (values.data === undefined ? "GET" : "POST");
const headers = values.header.map((header) => header.split(/:\s*/, 2));
const response = await fetch(url, { method, headers, body: values.data ?? null });
process.stdout.write(await response.text());
process.stdout.write(values["write-out"].replace("%{http_code}", String(response.status)).replace("\\n", "\n"));
