import type { Page } from "playwright-core";

/** A screen in a state: its address, what has to be there before it is looked at, and what is done until it is in its state. */
export interface Screen {
  readonly name: string;
  readonly path: string;
  readonly isSignedOut?: true;
  readonly role?: string;
  readonly ready: (page: Page) => Promise<unknown>;
  readonly act?: (page: Page) => Promise<unknown>;
  /** Whether it shows what others do: its stream of events never ends, and no other page has one here. */
  readonly isLive?: true;
  /** Whether a popover is open: the rest of the page is hidden from screen readers as long as it is. */
  readonly isPopover?: true;
}
