/**
 * The page's own script. What the page sends of objects within objects is JSON (`filters[title]={"$eq":"A"}`), and is
 * written in brackets, as the API reads it (`filters[title][$eq]=A`).
 */
export const START_SCRIPT = `function spread(name, value) {
  if (typeof value !== "object" || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => spread(name + "[" + key + "]", inner));
}

function readPair([name, text]) {
  if (!name.endsWith("]") || !/^[[{]/.test(text)) return [[name, text]];
  try {
    return spread(name, JSON.parse(text));
  } catch {
    return [[name, text]];
  }
}

function writeBrackets(request) {
  const [path, query] = request.url.split("?");
  if (query === undefined) return request;
  const pairs = [...new URLSearchParams(query)].flatMap(readPair);
  return Object.assign(request, { url: path + "?" + new URLSearchParams(pairs) });
}

SwaggerUIBundle({
  url: "./openapi.json",
  dom_id: "#page",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  persistAuthorization: true,
  requestInterceptor: writeBrackets,
});
`;
