// As much of curl as the documentation uses, for machines that have none: -s -f -g -X -H -d -F -w and an address.
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: "boolean", short: "s" },
    fail: { type: "boolean", short: "f" },
    globoff: { type: "boolean", short: "g" },
    request: { type: "string", short: "X" },
    header: { type: "string", short: "H", multiple: true, default: [] },
    data: { type: "string", short: "d" },
    form: { type: "string", short: "F", multiple: true },
    "write-out": { type: "string", short: "w", default: "" },
  },
});
const [url = ""] = positionals;
if (!values.globoff && /[[\]{}]/.test(url)) throw new Error(`curl reads the brackets of ${url} as its own; say -g`);

const method = values.request ?? ((values.data ?? values.form) === undefined ? "GET" : "POST");
const headers = values.header.map((header) => header.split(/:\s*/, 2));
const response = await fetch(url, {
  method,
  headers,
  body: values.form ? await formOf(values.form) : (values.data ?? null),
});
if (values.fail && !response.ok) throw new Error(`${url} answered ${response.status}`);
process.stdout.write(await response.text());
process.stdout.write(values["write-out"].replace("%{http_code}", String(response.status)).replace("\\n", "\n"));

/** Fields such as `name=text` and `name=@path`. */
async function formOf(fields) {
  const form = new FormData();
  for (const field of fields) {
    const [, name, at, value] = /^([^=]+)=(@?)(.*)$/s.exec(field);
    if (at) form.append(name, await openAsBlob(value), basename(value));
    else form.append(name, value);
  }
  return form;
}
