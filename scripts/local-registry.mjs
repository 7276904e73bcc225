// A registry on this machine that takes `npm publish` and answers `npm install`, in memory. Packages of others come from where npm is configured to look.
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { homedir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";

/**
 * Starts a registry on a free port of 127.0.0.1. Three requests are all that npm needs of one, so it is written here:
 * verdaccio would be a development dependency larger than all others together.
 *
 * @returns {Promise<{ url: string, tarballs: Map<string, Buffer>, close(): void }>} `tarballs`: of what was
 *   published, by path
 */
export async function startRegistry() {
  const registry = { packages: new Map(), tarballs: new Map() };
  const server = createServer((request, response) => {
    answer(registry, request).then(
      ({ status = 200, body }) => response.writeHead(status).end(Buffer.isBuffer(body) ? body : JSON.stringify(body)),
      (error) => response.writeHead(500).end(JSON.stringify({ error: error.message })),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${server.address().port}`;
  return { url, tarballs: registry.tarballs, close: () => server.close() };
}

async function answer(registry, request) {
  const path = decodeURIComponent(new URL(request.url, "http://registry").pathname);
  if (request.method === "PUT") return publish(registry, await json(request));
  const body = registry.tarballs.get(path) ?? registry.packages.get(path.slice(1));
  return body ? { body } : { status: 404, body: { error: "not found" } };
}

/** A version that is there stays as it is, as in every registry. */
function publish({ packages, tarballs }, { name, versions, "dist-tags": tags, _attachments: attachments }) {
  const known = packages.get(name) ?? { name, versions: {}, "dist-tags": {} };
  const [[version, manifest]] = Object.entries(versions);
  if (known.versions[version]) return { status: 409, body: { error: `${name}@${version} is there already` } };
  const [{ data }] = Object.values(attachments);
  tarballs.set(decodeURIComponent(new URL(manifest.dist.tarball).pathname), Buffer.from(data, "base64"));
  const merged = {
    versions: { ...known.versions, [version]: manifest },
    "dist-tags": { ...known["dist-tags"], ...tags },
  };
  packages.set(name, { ...known, ...merged });
  return { status: 201, body: { ok: true } };
}

/**
 * Writes what makes npm publish our packages to a registry and install them from it: what the user has set, and the
 * registry. A variable would not do: a shell drops its name.
 *
 * @param folder - for the file
 * @returns {Record<string, string>} variables for npm
 */
export function npmConfigFor(url, folder) {
  const own = process.env["npm_config_userconfig"] ?? join(homedir(), ".npmrc");
  const file = join(folder, "npmrc");
  // npm asks for a token before it publishes; this one is not checked.
  const lines = [`@plinth:registry=${url}`, `${url.replace("http:", "")}/:_authToken=local`];
  writeFileSync(file, `${existsSync(own) ? readFileSync(own, "utf8") : ""}\n${lines.join("\n")}\n`, { mode: 0o600 });
  return { npm_config_userconfig: file };
}
