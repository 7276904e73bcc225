import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect } from "chai";
import { parse, parseAllDocuments } from "yaml";
import { readServerConfig } from "#core/app/server-config.js";
import { buildEnvFile } from "#core/cli/scaffold/own-files.js";
import { fileOf, readBlocks } from "../../docs/read-blocks.js";
import {
  commandProblems,
  interpolate,
  readUnit,
  ROOT,
  scaffolded,
  unreadVariables,
  type Variables,
  verifyUnits,
} from "./deployment-files.js";
import { dockerfileProblems, wordsOf } from "./dockerfile-problems.js";

const dockerfile = scaffolded("Dockerfile");
const nginx = scaffolded("deploy/nginx.conf");
const nothing = { get: () => undefined } as unknown as Parameters<typeof readServerConfig>[0];
/** Milliseconds that a stop of the app may take in production. */
const server = readServerConfig(nothing, "production");
const STOP = server.drainDelay + server.closeTimeout;
const SECRETS = ["API_TOKEN_SALT", "ADMIN_JWT_SECRET", "JWT_SECRET"];

/** What of a service we look at. */
interface Service {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly profiles?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
}

describe("the Dockerfile of a new app", () => {
  it("keeps the rules", () => {
    expect(dockerfileProblems(dockerfile)).to.deep.equal([]);
  });

  it("would be found out", () => {
    const changes: readonly (readonly [string | RegExp, string, string])[] = [
      [/@sha256:\w+/, "", "is not pinned"],
      [/USER node\n/, "", "it runs as root"],
      [/USER node\n/, "USER root\n", "it runs as root"],
      ["COPY . .\n", "", "build builds before it has the sources"],
      ["RUN npm ci\nCOPY . .", "COPY . .\nRUN npm ci", "build copies the sources before it installs packages"],
      [" --omit=dev", "", "it has development packages"],
      ["STOPSIGNAL SIGTERM\n", "", "SIGTERM does not stop it"],
      [/HEALTHCHECK.*\n/, "", "its health check does not ask /health/live"],
      [/ENTRYPOINT.*\n/, 'ENTRYPOINT ["npm", "start"]\n', "process 1 is not node"],
      ["PORT=1337", "PORT=1337 JWT_SECRET=x", "JWT_SECRET would be in the image"],
      ["COPY . .", "COPY . .\nCOPY .env ./", ".env would be in the image"],
      ["COPY --from=build", "COPY --chown=node:node --from=build", "the app may change its own files"],
      [', "/tmp"', "", "it cannot be read-only"],
      [/^COPY package.json.*\n/m, "COPY vendor ./vendor\n", "installs what no manifest names"],
    ];
    for (const [from, to, problem] of changes)
      expect(dockerfileProblems(dockerfile.replace(from, to)).join("; "), problem).to.include(problem);
  });

  it("starts a command that exists", () => {
    const words = [...wordsOf(dockerfile, "ENTRYPOINT"), ...wordsOf(dockerfile, "CMD")];
    expect(commandProblems(words)).to.deep.equal([]);
    expect(existsSync(join(ROOT, words[1] ?? ""))).to.equal(true);
    expect(commandProblems([...words, "--threads"])).to.deep.equal(["plinth start has no --threads"]);
    expect(commandProblems(["npm", "start"])).to.have.length(2);
  });

  it("asks for the life of the process as a process that is well answers", async () => {
    let status = 200;
    const asked: (string | undefined)[] = [];
    const http = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(status).end();
    });
    await once(http.listen(0, "127.0.0.1"), "listening");
    const PORT = String((http.address() as AddressInfo).port);
    const [, ...args] = wordsOf(dockerfile, "HEALTHCHECK");
    const check = async () => (await once(spawn(process.execPath, args, { env: { PORT } }), "exit"))[0] as number;
    expect(await check()).to.equal(0);
    status = 503;
    expect(await check()).to.equal(1);
    expect(asked).to.deep.equal(["/health/live", "/health/live"]);
    http.closeAllConnections();
    http.close();
    expect(await check()).to.equal(1);
  });

  it("copies no secret and nothing that is made again", () => {
    const ignored = scaffolded("dot-dockerignore").split("\n");
    expect(ignored).to.include.members([".env", ".git/", "**/node_modules/", "dist/", ".plinth/"]);
  });
});

describe("the compose.yaml of a new app", () => {
  const made = parseEnv(buildEnvFile()) as Variables;
  const read = (variables: Variables) =>
    parse(interpolate(scaffolded("compose.yaml"), variables), { merge: true }) as {
      readonly services: Readonly<Record<string, Service>>;
      readonly volumes: object;
    };
  const { services, volumes } = read({ ...made, S3_BUCKET: "media" });
  const apps = Object.entries(services).filter(([name]) => name.startsWith("app"));
  const environmentOf = ({ environment = {} }: Service): Variables =>
    Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));

  it("runs two processes, each with what the configuration reads, and nothing that it does not", async () => {
    expect(apps).to.have.length(2);
    for (const [, app] of apps) {
      const variables = environmentOf(app);
      expect(await unreadVariables(variables)).to.deep.equal([]);
      expect(variables).to.include.keys("DATABASE_URL", ...SECRETS);
      for (const name of SECRETS) expect(variables[name]).to.equal(made[name]);
      expect(await unreadVariables({ ...variables, DATABASE_URI: "x" })).to.deep.equal(["DATABASE_URI"]);
      expect(commandProblems([...wordsOf(dockerfile, "ENTRYPOINT"), ...(app.command ?? ["start"])])).to.deep.equal([]);
    }
  });

  it("asks for secrets, and has none", () => {
    for (const name of [...SECRETS, "POSTGRES_PASSWORD"])
      expect(() => read({ ...made, [name]: "" }), name).to.throw(`${name} has no value`);
    expect(scaffolded("compose.yaml")).not.to.match(/(PASSWORD|SECRET|SALT): (?!\$\{)/);
  });

  it("gives a process the time that a stop may take, and no file to write but its volumes", () => {
    for (const [, { stop_grace_period, read_only, volumes: own = [] }] of apps) {
      expect(Number.parseInt(stop_grace_period ?? "", 10) * 1_000).to.be.greaterThan(STOP);
      expect(read_only).to.equal(true);
      expect(own.map((volume) => volume.split(":").at(-1))).to.deep.equal(["/app/.plinth", "/tmp"]);
    }
  });

  it("names services, volumes and files that exist, and images by their version", () => {
    for (const [name, { image = "", volumes: own = [], depends_on = {} }] of Object.entries(services)) {
      if (!name.startsWith("app")) expect(image, name).to.match(/:(\d+\.\d+|RELEASE\.\d{4})/);
      for (const other of Object.keys(depends_on)) expect(services).to.have.property(other);
      for (const [from = ""] of own.map((volume) => volume.split(":")))
        if (from.startsWith("./")) expect(scaffolded(from), from).not.to.equal("");
        else if (!from.startsWith("/")) expect(volumes).to.have.property(from);
    }
    expect(services).to.include.keys("nginx", "db", "standby", "redis", "storage");
    expect(services["storage"]?.profiles, "only with upload-s3").to.deep.equal(["s3"]);
    expect(services["redis"]?.profiles, "not needed").to.deep.equal(["redis"]);
    expect(read({ ...made, REDIS_URL: "redis://redis:6379" }).services["app1"]?.environment).to.include({
      REDIS_URL: "redis://redis:6379",
    });
  });

  it("has nginx send to these processes, for less long than they keep a connection, and uploads of any size", () => {
    const upstreams = [...nginx.matchAll(/^\s*server (\w+):(\d+) max_fails=0;$/gm)];
    expect(upstreams.map(([, name]) => name)).to.deep.equal(apps.map(([name]) => name));
    for (const [, , port] of upstreams) expect(dockerfile).to.include(`EXPOSE ${port}\n`).and.include(`PORT=${port}\n`);
    expect(Number(/keepalive_timeout (\d+)s/.exec(nginx)?.[1]) * 1_000).to.be.lessThan(server.keepAliveTimeout);
    expect(nginx).to.include("proxy_next_upstream error timeout;").and.include("client_max_body_size 1000m;");
  });
});

describe("the systemd unit of a new app", () => {
  const unit = readUnit(scaffolded("deploy/plinth@.service"));
  const directive = (name: string) => unit.find((each) => each.name === name)?.value ?? "";
  const environment = Object.fromEntries(
    directive("Environment")
      .split(" ")
      .map((pair) => pair.split("=") as [string, string]),
  );

  it("starts a command that exists, with variables that the configuration reads", async () => {
    expect(commandProblems(directive("ExecStart").split(" "))).to.deep.equal([]);
    expect(directive("ExecStart")).to.include(" --workers 2");
    expect(directive("ExecReload"), "replaces the workers").to.equal("/bin/kill -HUP $MAINPID");
    expect(await unreadVariables({ ...environment, PORT: "1337" })).to.deep.equal([]);
    expect(environment).to.include({ NODE_ENV: "production", PORT: "%i" });
    expect(commandProblems(directive("ExecStart").replace("start", "serve").split(" "))[0]).to.include("no serve");
  });

  it("is one to systemd, and so is its socket", () => {
    const folder = join(ROOT, "core/scaffold/every/deploy");
    expect(verifyUnits(folder, ["plinth@.service", "plinth@.socket"])).to.equal(undefined);
  });

  it("runs what a symbolic link leads to, by the link's name, and writes to a folder that outlives versions", () => {
    expect(directive("WorkingDirectory")).to.equal("/srv/app/current");
    expect(environment["PWD"]).to.equal(directive("WorkingDirectory"));
    expect(directive("StateDirectory")).to.equal("plinth");
    expect(directive("ReadWritePaths")).to.equal("");
  });

  it("listens where its socket does", () => {
    const socket = readUnit(scaffolded("deploy/plinth@.socket"));
    const stream = socket.find(({ section, name }) => section === "Socket" && name === "ListenStream");
    expect(stream?.value).to.equal(`${environment["HOST"]}:${environment["PORT"]}`);
  });

  it("gives the workers the time that a stop may take, and tells their parent alone", () => {
    expect(Number(directive("TimeoutStopSec")) * 1_000).to.be.greaterThan(STOP);
    expect(directive("KillMode")).to.equal("mixed");
    expect(directive("User")).not.to.match(/^(root)?$/);
    expect(() => readUnit("ExecStart /usr/bin/node")).to.throw("is no line of a unit");
  });
});

describe("the Kubernetes manifests of the deployment guide", () => {
  const guide = readFileSync(join(ROOT, "core/guides/deployment.md"), "utf8");
  const block = readBlocks(guide).find((each) => fileOf(each) === "deploy/kubernetes.yaml");
  const documents = parseAllDocuments(block?.text ?? "");
  const [deployment] = documents.map((document) => document.toJS() as { spec: { template: { spec: Pod } } });
  const pod = deployment?.spec.template.spec as Pod;
  const [container] = pod.containers;

  it("are YAML, of a deployment, a service and a budget", () => {
    expect(documents.flatMap(({ errors }) => errors)).to.deep.equal([]);
    const kinds = documents.map((document) => document.get("kind"));
    expect(kinds).to.deep.equal(["Deployment", "Service", "PodDisruptionBudget"]);
  });

  it("start a command that exists, with variables that the configuration reads", async () => {
    expect(commandProblems([...wordsOf(dockerfile, "ENTRYPOINT"), ...container.args])).to.deep.equal([]);
    const variables = Object.fromEntries(container.env.map(({ name, value = "1" }) => [name, value]));
    expect(await unreadVariables(variables)).to.deep.equal([]);
    expect(variables).to.include.keys("DATABASE_URL", ...SECRETS);
  });

  it("restart what does not live, send to what is ready, and wait for a stop", () => {
    expect(container.livenessProbe.httpGet).to.deep.equal({ path: "/health/live", port: 1337 });
    expect(container.readinessProbe.httpGet).to.deep.equal({ path: "/health/ready", port: 1337 });
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(2 * periodSeconds * failureThreshold * 1_000, "two looks").to.be.lessThan(server.drainDelay);
    expect(pod.terminationGracePeriodSeconds * 1_000).to.be.greaterThan(STOP);
    expect(pod.securityContext).to.include({ runAsNonRoot: true });
    expect(container.securityContext).to.include({ readOnlyRootFilesystem: true });
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).to.have.members(["/tmp", "/app/.plinth"]);
  });
});

interface Probe {
  readonly httpGet: object;
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly containers: readonly [
    {
      readonly args: readonly string[];
      readonly env: readonly { readonly name: string; readonly value?: string }[];
      readonly livenessProbe: Probe;
      readonly readinessProbe: Probe;
      readonly securityContext: object;
      readonly volumeMounts: readonly { readonly mountPath: string }[];
    },
  ];
}
