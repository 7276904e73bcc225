import type { App } from "@plinth/core";

/** Does something while the next password is compared with the hash that was read for it: after the one, before the answer. */
export function duringNextCheck({ passwords }: App, work: () => Promise<unknown>): void {
  const { matches } = passwords;
  const once: typeof matches = async (password, hash) => {
    Object.assign(passwords, { matches });
    await work();
    return await matches(password, hash);
  };
  Object.assign(passwords, { matches: once });
}
