// The ratios of a run as a picture for the documentation: a bar for each server in each row, the limit being the whole.
import { peersOf, shareOf } from "./print-results.mjs";

const LABELS = 270;
const WHOLE = 420;
const BAR = 14;
const GAP = 12;
const TOP = 44;
const COLOURS = ["#2f6fde", "#b0413e", "#8a6d1d", "#4c7a4c"];

/**
 * @param {object} run - what was measured, with `results`, and where.
 * @returns {string} SVG.
 */
export function drawChart({ results, postgres, node, articles }) {
  const names = ["ours", ...peersOf(results)];
  const height = names.length * BAR + GAP;
  const rows = results.map((result, index) => drawRow(result, names, TOP + index * height));
  const bottom = TOP + results.length * height;
  const marks = [0, 0.25, 0.5, 0.75, 1].map((share) => drawMark(share, bottom));
  const about = `Requests per second as a share of the limit's. ${articles} articles; ${postgres}; Node ${node}.`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${LABELS + WHOLE + 70}" height="${bottom + 34}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ...names.map(drawLegend),
    ...marks,
    ...rows,
    `<text x="8" y="${bottom + 26}" fill="#666666" font-size="11">${escapeXml(about)}</text>`,
    "</svg>\n",
  ].join("\n");
}

function drawRow(result, names, y) {
  const title = result.connections === 10 ? result.name : `${result.name} (${result.connections})`;
  const bars = names.map((name, at) =>
    drawBar(shareOf(result, name), { y: y + at * BAR, colour: COLOURS[at % COLOURS.length] }),
  );
  return [`<text x="${LABELS - 8}" y="${y + 11}" text-anchor="end">${escapeXml(title)}</text>`, ...bars].join("\n");
}

function drawBar(share, { y, colour }) {
  if (share === undefined) return "";
  const width = (Math.min(share, 1.1) * WHOLE).toFixed(1);
  const figure = share.toFixed(share < 0.1 ? 3 : 2);
  return [
    `<rect x="${LABELS}" y="${y}" width="${width}" height="${BAR - 2}" fill="${colour}"/>`,
    `<text x="${LABELS + Number(width) + 5}" y="${y + 10}" font-size="11">${figure}</text>`,
  ].join("");
}

const drawMark = (share, bottom) =>
  `<path d="M${LABELS + share * WHOLE} ${TOP - 6}V${bottom}" stroke="#dddddd"/><text x="${LABELS + share * WHOLE}" y="${TOP - 10}" text-anchor="middle" fill="#666666" font-size="11">${share}</text>`;

const drawLegend = (name, at) =>
  `<rect x="${8 + at * 110}" y="8" width="10" height="10" fill="${COLOURS[at % COLOURS.length]}"/><text x="${22 + at * 110}" y="17">${escapeXml(name)}</text>`;

const escapeXml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
