import "../ui/base.css";
import { createRoot } from "react-dom/client";
import type { Boot } from "../../src/wire/boot.js";
import { ApiError, api } from "../app/api.js";
import { showTheme } from "../app/theme.js";
import { loadMessages } from "../messages/text.js";

/** Path of the page, which the router takes over once somebody is signed in. */
const BASE = "/admin";
const LANGUAGE = "plinth-language";

showTheme();
const root = createRoot(document.getElementById("page") ?? document.body);

/** Shows the page, or how to enter it. Each of the two is loaded when it is needed. */
async function start(): Promise<void> {
  const chosen = localStorage.getItem(LANGUAGE);
  const [boot] = await Promise.all([readBoot(), loadMessages(chosen ? [chosen] : navigator.languages)]);
  await (boot ? showPage(boot) : showEntrance());
}

async function readBoot(): Promise<Boot | undefined> {
  try {
    return await api<Boot>("/boot");
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined;
    throw error;
  }
}

async function showPage(boot: Boot): Promise<void> {
  const { App } = await import("../app/app.js");
  root.render(<App boot={boot} />);
}

async function showEntrance(): Promise<void> {
  const { Entrance } = await import("../screens/sign-in/entrance.js");
  const { pathname, hash } = location;
  const path = pathname.slice(BASE.length);
  const enter = () => {
    if (path === "/welcome" || path === "/sign-in") history.replaceState(null, "", BASE);
    void start().catch(showFailure);
  };
  root.render(<Entrance path={path} fragment={hash.slice(1)} onDone={enter} />);
}

async function showFailure(error: unknown): Promise<void> {
  await loadMessages(navigator.languages);
  const { Failed } = await import("../ui/state.js");
  root.render(<Failed error={error} retry={() => location.reload()} />);
}

start().catch(showFailure);
