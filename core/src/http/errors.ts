import { describeProblems, type OptionProblem } from "../base/options/parse-options.js";
import { createError } from "../base/error.js";

/** No route has this path, or no document is there. */
export const NotFoundError = createError<object>("PLINTH_HTTP_NOT_FOUND", 404, () => "Not Found", {
  cause: "No route has this path, or what it names does not exist.",
  remedy: "Check the path; `plinth routes` lists every route.",
});

/** A policy of the route returned false. */
export const PolicyFailedError = createError<object>("PLINTH_HTTP_POLICY_FAILED", 403, () => "Policy Failed", {
  cause: "A policy of the route blocked the request by returning false.",
  remedy: "Meet the policy's condition; in the policy, throw an error of your own to say more.",
  name: "PolicyError",
});

/** A path parameter cannot be decoded. */
export const MalformedPathError = createError<{ segment: string }>(
  "PLINTH_HTTP_MALFORMED_PATH",
  400,
  (d) => `The path segment "${d.segment}" is not percent-encoded text; encode a percent sign as %25.`,
  {
    cause: "A segment of the path has a % that is not followed by the code of a UTF-8 character.",
    remedy: "Encode each segment with encodeURIComponent.",
  },
);

/** A query string or a form is over a limit of the parser. */
export const QueryLimitError = createError<{ limit: "depth" | "arrayLimit" | "parameterLimit"; max: number }>(
  "PLINTH_HTTP_QUERY_LIMIT",
  400,
  (d) =>
    `${LIMIT_SUBJECT[d.limit]} more than ${d.max} ${LIMIT_UNIT[d.limit]}, the limit "${d.limit}" of plinth::query.`,
  {
    cause: "The query string is nested deeper, has longer lists or more parameters than the parser allows.",
    remedy: "Ask for less in one request, or raise the limit in the configuration of plinth::query.",
  },
);

const LIMIT_SUBJECT = { depth: "A key is nested", arrayLimit: "A list has", parameterLimit: "The query string has" };
const LIMIT_UNIT = { depth: "levels deep", arrayLimit: "elements", parameterLimit: "parameters" };

/** A key of a query string or a form would reach a prototype. */
export const ForbiddenKeyError = createError<{ key: string }>(
  "PLINTH_HTTP_FORBIDDEN_KEY",
  400,
  (d) => `Invalid key ${d.key}`,
  { cause: "A key of the query string or the form is __proto__.", remedy: "Leave that key out." },
);

/** The body is not what its Content-Type says. The message is the parser's. */
export const MalformedBodyError = createError<{ reason: string }>("PLINTH_HTTP_MALFORMED_BODY", 400, (d) => d.reason, {
  cause: "The request's body cannot be parsed as its Content-Type says.",
  remedy: "Send a JSON object, as the message of the parser says.",
  name: "SyntaxError",
});

/** The body is over the size limit. */
export const BodyTooLargeError = createError<{ limit: string }>(
  "PLINTH_HTTP_BODY_TOO_LARGE",
  413,
  () => "request entity too large",
  {
    cause: "The request's body is larger than plinth::body allows, 1 MB unless configured.",
    remedy:
      "Send less, or raise config.bodyLimit of the route, or jsonLimit or formLimit in the configuration of plinth::body.",
  },
);

/** No memory became free for a large body. */
export const BodiesWaitError = createError<{ total: number; waited: number }>(
  "PLINTH_HTTP_BODIES_WAIT",
  503,
  (d) => `No memory became free for a large body within ${d.waited} ms; the bodies in progress have ${d.total} bytes.`,
  {
    cause: "Large bodies arrive faster than they are processed, or so slowly that they hold the memory for long.",
    remedy: "Send fewer at once, or raise largeTotal in the configuration of plinth::body if there is memory.",
    answer: "Too many large requests are being worked on. Try again later.",
  },
);

/** Clients leave too much of their answers waiting. */
export const AnswersWaitError = createError<{ limit: number }>(
  "PLINTH_HTTP_ANSWERS_WAIT",
  503,
  (d) => `Clients have not taken answers of ${d.limit} bytes, the limit server.maxUnsent; large ones are refused.`,
  {
    cause: "Clients ask for large answers faster than they take them, or do not take them at all.",
    remedy:
      "Ask for smaller pages, put a proxy that buffers in front, or raise server.maxUnsent if there is memory for it.",
    answer: "Too many large answers wait for their clients. Try again later.",
  },
);

const TOO_MUCH = "The server has too much to do at the moment. Try again later.";

/** Too many requests are worked on and wait. */
export const ProcessFullError = createError<{ maxConcurrent: number; maxWaiting: number }>(
  "PLINTH_HTTP_FULL",
  503,
  (d) =>
    `${d.maxConcurrent} requests are being worked on and ${d.maxWaiting} wait, the limits of server.limits; others are refused.`,
  {
    cause: "Requests arrive faster than they are answered: they are slow, or too many for this process.",
    remedy:
      "Find out what is slow, add processes, or raise server.limits.maxConcurrent if memory and database allow it.",
    answer: TOO_MUCH,
  },
);

/** The event loop does not keep up. */
export const ProcessLateError = createError<object>(
  "PLINTH_HTTP_LATE",
  503,
  () =>
    "For a second this process's own work kept the event loop more than 250 ms late, so requests are refused until it keeps up.",
  {
    cause: "Code of the app computes for long, or more requests arrive than one core can answer.",
    remedy:
      "Move what computes out of requests, add processes or cores; a CPU profile (node --cpu-prof) names the code.",
    answer: TOO_MUCH,
  },
);

/** The body is nested too deep. */
export const BodyTooDeepError = createError<{ max: number }>(
  "PLINTH_HTTP_BODY_TOO_DEEP",
  400,
  (d) => `The request's body is nested more than ${d.max} levels deep.`,
  {
    cause: "The objects and lists of the request's JSON are nested deeper than plinth::body allows.",
    remedy: "Send flatter data, or raise jsonDepth in the configuration of plinth::body.",
  },
);

/** The body has a content encoding that is not supported. */
export const UnsupportedEncodingError = createError<{ encoding: string }>(
  "PLINTH_HTTP_UNSUPPORTED_ENCODING",
  415,
  (d) => `The content encoding "${d.encoding}" is not supported; send gzip, deflate, or no encoding.`,
  {
    cause: "The Content-Encoding header of the request names an encoding that cannot be decoded.",
    remedy: "Send the body with gzip or deflate, or as it is.",
    name: "UnsupportedMediaTypeError",
  },
);

/** The path, query string and headers are more than the server reads. */
export const HeadersTooLargeError = createError<{ max: number }>(
  "PLINTH_HTTP_HEADERS_TOO_LARGE",
  431,
  (d) => `The path, query string and headers of the request have more than ${d.max} bytes together.`,
  {
    cause:
      "The request's first line and headers are over the limit of node, 16 KB unless --max-http-header-size is set.",
    remedy: "Ask for less in one request, or raise the limit where the server is started.",
    name: "RequestHeaderFieldsTooLargeError",
  },
);

/** The client sent something that is not an HTTP request. */
export const MalformedRequestError = createError<{ reason: string }>(
  "PLINTH_HTTP_MALFORMED_REQUEST",
  400,
  (d) => `The request cannot be read as HTTP (${d.reason}).`,
  {
    cause: "The request's first line, its headers or the length of its body break the rules of HTTP.",
    remedy: "Send requests by an HTTP client, which writes them by the rules.",
    name: "BadRequestError",
  },
);

/** A request did not arrive in time. */
export const RequestTimeoutError = createError<object>(
  "PLINTH_HTTP_REQUEST_TIMEOUT",
  408,
  () => "The request did not arrive in time.",
  {
    cause: "The headers or the body of a request came too late, or too slowly.",
    remedy:
      "Send the request again, and all of it; headersTimeout, requestTimeout, stallTimeout and minRate of config/server are the limits.",
    name: "RequestTimeoutError",
  },
);

/** One thing that is wrong with a declared route. */
export interface RouteProblem {
  /** `GET /articles/:documentId of api::article`. */
  readonly route: string;
  readonly message: string;
}

/** Routes that cannot be served; every problem of every route at once. */
export const InvalidRoutesError = createError<{ problems: readonly RouteProblem[] }>(
  "PLINTH_HTTP_INVALID_ROUTES",
  500,
  (d) => `Some routes cannot be served:\n${describeRoutes(d.problems)}`,
  {
    cause: "A route names a handler, a policy or a middleware that does not exist, or its path or access is unclear.",
    remedy: "Correct the route's declaration as the message says.",
  },
);

/** One line per message: a wrong name in a controller is a problem of each of its routes. */
function describeRoutes(problems: readonly RouteProblem[]): string {
  const messages = new Set(problems.map(({ message }) => message));
  const routesOf = (wanted: string) => problems.flatMap(({ route, message }) => (message === wanted ? [route] : []));
  return [...messages].map((message) => `  ${routesOf(message).join(", ")}: ${message}`).join("\n");
}

/** A route names an action that its controller does not have. */
export const ActionMissingError = createError<{ controller: string; action: string; known: string }>(
  "PLINTH_HTTP_ACTION_MISSING",
  500,
  (d) => `the controller "${d.controller}" has no action "${d.action}". ${d.known}`,
  {
    cause: "The last part of a route's handler is not a function of the controller.",
    remedy: "Correct the handler of the route, or add the action to the controller.",
  },
);

/** A route with a bare function does not say which actions it requires. */
export const OpenRouteError = createError<object>(
  "PLINTH_HTTP_OPEN_ROUTE",
  500,
  () =>
    "its handler is a bare function and names no action; say `auth: false` or `auth: { scope: [...] }` in its config",
  {
    cause: "A route is authorised by the action of its handler; a function in place of a name has none.",
    remedy:
      "Set config.auth to false for every caller, or to { scope } with the actions that the caller must be allowed.",
  },
);

/** A route's path cannot be matched. */
export const InvalidPathError = createError<{ path: string }>(
  "PLINTH_HTTP_INVALID_PATH",
  500,
  (d) => `its path "${d.path}" must start with a slash, and have no empty segment`,
  {
    cause: "A declared path or prefix does not read like /articles/:documentId.",
    remedy: "Start the path with a slash; use :name for a segment that varies.",
  },
);

/** An invalid entry of `config/middlewares`. */
export const InvalidMiddlewareError = createError<{ position: number; reason: string }>(
  "PLINTH_HTTP_INVALID_MIDDLEWARE",
  500,
  (d) => `Entry ${d.position} of config/middlewares ${d.reason}.`,
  {
    cause: "config/middlewares holds something that is not a middleware, or its configuration is invalid.",
    remedy: 'Use a name such as "plinth::cors", { name, config }, or a koa middleware function.',
  },
);

/** A built-in middleware's configuration is wrong; all problems at once. */
export const MiddlewareConfigError = createError<{ problems: readonly OptionProblem[] }>(
  "PLINTH_HTTP_MIDDLEWARE_CONFIG",
  500,
  (d) => `The configuration of a middleware in config/middlewares is wrong:\n${describeProblems(d.problems)}`,
  {
    cause:
      "An entry of config/middlewares gives a built-in middleware an option that it does not have, or a wrong value.",
    remedy: "Correct each line of the message; core/CONFIG.md lists the options.",
  },
);

/** A route's declaration has a key or a method that does not exist. */
export const InvalidRouteError = createError<{ reason: string }>("PLINTH_HTTP_INVALID_ROUTE", 500, (d) => d.reason, {
  cause: "A route names a method other than GET, POST, PUT, PATCH and DELETE, or has a key that routes do not have.",
  remedy: "Correct the route's declaration as the message says.",
});

/** The server cannot listen on its address. */
export const ListenError = createError<{ host: string; port: number; reason: string }>(
  "PLINTH_HTTP_CANNOT_LISTEN",
  500,
  (d) => `Cannot listen on ${d.host}:${d.port} (${d.reason}); stop what uses it, or set another server.port.`,
  {
    cause: "The address is in use, or this process may not take it.",
    remedy: "Stop the other process, or configure another host or port.",
  },
);

/** A stream was added without the function that ends it. */
export const StreamEndError = createError<{ readonly given: string }>(
  "PLINTH_HTTP_STREAM_END",
  500,
  (d) => `app.streams.add takes the function that ends the stream; it was given a value of type ${d.given}.`,
  {
    cause: "Code of the app or of a plugin calls `app.streams.add` with something else than a function.",
    remedy: "Pass a function that ends the answer: it is called when the server is about to stop.",
  },
);
