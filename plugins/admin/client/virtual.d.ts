declare module "virtual:messages/*" {
  import type { LocalizedString } from "@internationalized/string";

  const messages: Record<string, LocalizedString>;
  export default messages;
}
