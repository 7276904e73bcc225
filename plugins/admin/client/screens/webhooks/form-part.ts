import type { WebhookOptions } from "../../../src/wire/operations.js";
import type { WebhookValues } from "./webhooks-api.js";

/** What the parts of the form share. */
export interface FormPartProps {
  readonly values: WebhookValues;
  readonly set: (changes: Partial<WebhookValues>) => void;
  /** What is wrong with a field. */
  readonly of: (name: string) => readonly string[];
  readonly isLocked: boolean;
  readonly options: WebhookOptions;
}
