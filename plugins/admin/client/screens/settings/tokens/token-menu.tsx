import { useState } from "react";
import type { TokenView } from "../../../../src/wire/tokens.js";
import { t } from "../../../messages/text.js";
import { Menu } from "../../../ui/menu.js";
import { RegenerateToken, RevokeToken } from "./token-questions.js";

interface TokenMenuProps {
  readonly token: TokenView;
  readonly isSmall?: boolean;
  /** Called once it is revoked. */
  readonly onGone?: () => unknown;
}

/** What is done with a token as a whole. */
export function TokenMenu({ token, isSmall = false, onGone }: TokenMenuProps) {
  const [asked, setAsked] = useState<"regenerate" | "revoke">();
  const close = () => setAsked(undefined);
  return (
    <>
      <Menu
        label={t("row.actions", { title: token.name })}
        isSmall={isSmall}
        groups={[
          [{ id: "regenerate", label: t("tokens.regenerate"), icon: "refresh-cw", run: () => setAsked("regenerate") }],
          [
            {
              ...{ id: "revoke", label: t("tokens.revoke"), icon: "trash-2", isDangerous: true },
              run: () => setAsked("revoke"),
            },
          ],
        ]}
      />
      {asked === "regenerate" && <RegenerateToken token={token} onClose={close} />}
      {asked === "revoke" && <RevokeToken token={token} onClose={close} {...(onGone ? { onDone: onGone } : {})} />}
    </>
  );
}
