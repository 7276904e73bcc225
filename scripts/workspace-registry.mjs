// Serves the packages of this workspace as a registry does, as they would be published; packages of others come from where npm is configured to look.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { publishedFolders, readManifest } from "./check-packages.mjs";
import { ROOT } from "./ensure-ready.mjs";

const run = promisify(execFile);

/** Packs one package. @returns what a registry says of it, but for the address of its tarball */
async function pack(folder, to) {
  const { stdout } = await run("npm", ["pack", "--json", "--loglevel=error", "--pack-destination", to], {
    cwd: join(ROOT, folder),
    shell: process.platform === "win32",
  });
  const { filename } = Object.values(JSON.parse(stdout.slice(stdout.search(/^[[{]/m))))[0];
  const tarball = readFileSync(join(to, filename));
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  return { manifest: readManifest(ROOT, folder), tarball, filename, integrity };
}

/** What npm asks for by the name of a package. */
function describePackage({ manifest, filename, integrity }, url) {
  const { name, version } = manifest;
  const dist = { tarball: `${url}/-/${filename}`, integrity };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

/**
 * Packs the built packages of the workspace and serves them on a free port.
 *
 * @param to - folder for the tarballs
 * @returns {Promise<{ packages: number, env: Record<string, string>, close(): void }>} `env` is what makes npm ask here
 */
export async function serveWorkspace(to) {
  const packed = [];
  for (const folder of publishedFolders(ROOT)) packed.push(await pack(folder, to));
  const answers = new Map();
  const server = createServer((request, response) => {
    const answer = answers.get(decodeURIComponent(request.url));
    if (!answer) return response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not found"}');
    response.end(answer);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${server.address().port}`;
  for (const one of packed) {
    answers.set(`/${one.manifest.name}`, JSON.stringify(describePackage(one, url)));
    answers.set(`/-/${one.filename}`, one.tarball);
  }
  return {
    packages: packed.length,
    env: { npm_config_userconfig: writeUserConfig(to, url) },
    close: () => server.close(),
  };
}

/** What the user has set of npm, and who has our packages. A variable would not do: a shell drops its name. */
function writeUserConfig(to, url) {
  const own = process.env["npm_config_userconfig"] ?? join(homedir(), ".npmrc");
  const file = join(to, "npmrc");
  writeFileSync(file, `${existsSync(own) ? readFileSync(own, "utf8") : ""}\n@plinth:registry=${url}\n`, {
    mode: 0o600,
  });
  return file;
}
