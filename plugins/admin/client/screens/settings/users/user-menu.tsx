import { useState } from "react";
import type { EndUser } from "../../../../src/wire/end-users.js";
import { t } from "../../../messages/text.js";
import { Menu } from "../../../ui/menu.js";
import { messageOf } from "../../../ui/state.js";
import { sayDone, sayWrong } from "../../../ui/toast.js";
import { Confirm } from "../frame/confirm.js";
import { useUserWrites } from "./user-requests.js";

interface UserMenuProps {
  readonly user: EndUser;
  readonly isSmall?: boolean;
  /** Called when the user is deleted. */
  readonly onGone?: () => unknown;
}

type Question = "block" | "endSessions" | "remove";

/** What is done with a user beside changing them: each is asked once more, but for letting them in again. */
export function UserMenu({ user, isSmall = false, onGone }: UserMenuProps) {
  const [asked, setAsked] = useState<Question>();
  const writes = useUserWrites();
  const { documentId, username: name } = user;
  const unblock = async () => {
    try {
      await writes.update(documentId, { blocked: false });
      sayDone(t("users.unblocked", { name }));
    } catch (error) {
      sayWrong(messageOf(error));
    }
  };
  const run: Readonly<Record<Question, () => Promise<unknown>>> = {
    block: () => writes.update(documentId, { blocked: true }),
    endSessions: () => writes.endSessions(documentId),
    remove: async () => {
      await writes.remove(documentId);
      await onGone?.();
    },
  };
  return (
    <>
      <Menu
        label={t("row.actions", { title: name })}
        isSmall={isSmall}
        groups={[
          [
            { id: "endSessions", label: t("users.endSessions"), icon: "log-out", run: () => setAsked("endSessions") },
            user.blocked
              ? { id: "unblock", label: t("users.unblock"), icon: "check", run: () => void unblock() }
              : { id: "block", label: t("users.block"), icon: "lock", run: () => setAsked("block") },
          ],
          [
            {
              ...{ id: "remove", label: t("users.remove"), icon: "trash-2", isDangerous: true },
              run: () => setAsked("remove"),
            },
          ],
        ]}
      />
      {asked && (
        <Confirm
          title={t(`users.${asked}.ask`, { name })}
          action={t(`users.${asked}`)}
          isDangerous={asked !== "endSessions"}
          run={async () => {
            await run[asked]();
            sayDone(t(`users.${asked}.done`, { name }));
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{t(`users.${asked}.text`)}</p>
        </Confirm>
      )}
    </>
  );
}
