/** How long a text stays to be read out, in milliseconds, and how long a new region is known before it says something. */
const LIFE = 7_000;
const WARM_UP = 100;

let region: HTMLElement | undefined;

/** Says a text to screen readers. The same text twice is said twice: each is an element of its own. */
export function announce(text: string): void {
  const isReady = region !== undefined;
  region ??= makeRegion();
  const line = document.createElement("p");
  line.textContent = text;
  setTimeout(() => region?.append(line), isReady ? 0 : WARM_UP);
  setTimeout(() => line.remove(), LIFE);
}

function makeRegion(): HTMLElement {
  const made = document.createElement("div");
  made.className = "visually-hidden";
  made.setAttribute("role", "log");
  made.setAttribute("aria-live", "polite");
  made.setAttribute("aria-relevant", "additions");
  // What a window above the page hides from screen readers leaves out regions with this mark.
  made.dataset["liveAnnouncer"] = "true";
  document.body.prepend(made);
  return made;
}
