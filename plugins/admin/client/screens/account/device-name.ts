/** Browsers by what their name in a User-Agent is; one that calls itself by others' names stands before them. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

const nameIn = (names: readonly (readonly [RegExp, string])[], agent: string): string | undefined =>
  names.find(([mark]) => mark.test(agent))?.[1];

/** What a browser is, of its User-Agent: `Firefox, Windows`; undefined where nothing of it is known. */
export function deviceName(agent: string): string | undefined {
  const known = [nameIn(BROWSERS, agent), nameIn(SYSTEMS, agent)].filter((name) => name !== undefined);
  return known.length === 0 ? undefined : known.join(", ");
}

/** Where a network is: on this machine, in a private network, or anywhere. */
export type NetworkClass = "here" | "private" | "public";

const HERE = /^(127\.|::1|0:0:0:0:|0:0:0:)/;
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|f[cd]|fe80)/i;

/** @param network - `203.0.113.0/24` */
export function classOfNetwork(network: string): NetworkClass {
  if (HERE.test(network)) return "here";
  return PRIVATE.test(network) ? "private" : "public";
}
