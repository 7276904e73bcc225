import "../ui/base.css";
import { createRoot } from "react-dom/client";
import type { EntranceView } from "../../src/wire/accounts.js";
import type { Boot } from "../../src/wire/boot.js";
import { ApiError, api, SET_UP_NEEDED } from "../app/api.js";
import { showTheme } from "../app/theme.js";
import { loadMessages } from "../messages/text.js";

/** Path of the page, which the router takes over once somebody is signed in. */
const BASE = "/admin";
const LANGUAGE = "plinth-language";
/** Addresses at which somebody enters; afterwards they are at home. */
const DOORS: readonly string[] = ["/welcome", "/invited", "/sign-in", "/forgotten", "/reset"];

/** Why the page is closed: nobody has signed in, or who did has no second factor. */
type Closed = "sign-in" | "set-up";

showTheme();
const root = createRoot(document.getElementById("page") ?? document.body);

/** Shows the page, or how to enter it. Each of the two is loaded when it is needed. */
async function start(): Promise<void> {
  const chosen = localStorage.getItem(LANGUAGE);
  const [boot] = await Promise.all([readBoot(), loadMessages(chosen ? [chosen] : navigator.languages)]);
  if (typeof boot === "string") return showEntrance(boot);
  // What the account chose holds where nothing was chosen in this browser.
  if (!chosen && boot.user.language) await loadMessages([boot.user.language]);
  await showPage(boot);
}

/** What an administrator sees first, or why they see nothing yet. */
async function readBoot(): Promise<Boot | Closed> {
  try {
    return await api<Boot>("/boot");
  } catch (error) {
    if (error instanceof ApiError && error.code === SET_UP_NEEDED) return "set-up";
    if (error instanceof ApiError && error.status === 401) return "sign-in";
    throw error;
  }
}

async function showPage(boot: Boot): Promise<void> {
  const { App } = await import("../app/app.js");
  root.render(<App boot={boot} />);
}

async function showEntrance(closed: Closed): Promise<void> {
  const [{ Entrance }, rules] = await Promise.all([
    import("../screens/sign-in/entrance.js"),
    api<EntranceView>("/entrance"),
  ]);
  const { pathname, hash } = location;
  const path = pathname.slice(BASE.length);
  const enter = () => {
    if (DOORS.includes(path)) history.replaceState(null, "", BASE);
    void start().catch(showFailure);
  };
  const mustSetUp = closed === "set-up";
  root.render(<Entrance {...rules} {...{ path, mustSetUp }} fragment={hash.slice(1)} onDone={enter} />);
}

async function showFailure(error: unknown): Promise<void> {
  await loadMessages(navigator.languages);
  const { Failed } = await import("../ui/state.js");
  root.render(<Failed error={error} retry={() => location.reload()} />);
}

start().catch(showFailure);
