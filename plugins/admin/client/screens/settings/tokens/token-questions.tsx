import { useState } from "react";
import type { TokenView } from "../../../../src/wire/tokens.js";
import { t } from "../../../messages/text.js";
import { Button } from "../../../ui/button.js";
import { Dialog } from "../../../ui/dialog.js";
import { sayDone } from "../../../ui/toast.js";
import { Confirm } from "../frame/confirm.js";
import { CopyText } from "../frame/copy-text.js";
import { useTokenWrites } from "./token-requests.js";

interface QuestionProps {
  readonly token: Pick<TokenView, "documentId" | "name">;
  readonly onClose: () => void;
}

/** Another key: programs with the old one are refused at once. */
export function RegenerateToken({ token, onClose }: QuestionProps) {
  const { regenerate } = useTokenWrites();
  const [key, setKey] = useState<string>();
  if (key !== undefined) return <TokenKey name={token.name} accessKey={key} onClose={onClose} />;
  return (
    <Confirm
      title={t("tokens.regenerate.ask", { name: token.name })}
      action={t("tokens.regenerate")}
      isDangerous
      run={async () => setKey((await regenerate(token.documentId)).data.accessKey)}
      // The answer is the key, which has to be seen.
      onDone={() => undefined}
      onClose={onClose}
    >
      <p>{t("tokens.regenerate.text")}</p>
    </Confirm>
  );
}

/** Ends a token for good. */
export function RevokeToken({ token, onClose, onDone }: QuestionProps & { readonly onDone?: () => unknown }) {
  const { revoke } = useTokenWrites();
  return (
    <Confirm
      title={t("tokens.revoke.ask", { name: token.name })}
      action={t("tokens.revoke")}
      isDangerous
      run={async () => {
        await revoke(token.documentId);
        sayDone(t("tokens.revoked", { name: token.name }));
        await onDone?.();
      }}
      onClose={onClose}
    >
      <p>{t("tokens.revoke.text")}</p>
    </Confirm>
  );
}

interface TokenKeyProps {
  readonly name: string;
  readonly accessKey: string;
  readonly onClose: () => void;
}

/** The key, this once: it is kept as a hash only. */
export function TokenKey({ name, accessKey, onClose }: TokenKeyProps) {
  return (
    <Dialog
      isOpen
      isAlert
      shape="wide"
      title={t("tokens.key", { name })}
      footer={
        <Button look="primary" onClick={onClose}>
          {t("tokens.key.done")}
        </Button>
      }
    >
      <p>{t("tokens.key.text")}</p>
      <CopyText label={t("tokens.key.label")} text={accessKey} />
    </Dialog>
  );
}
