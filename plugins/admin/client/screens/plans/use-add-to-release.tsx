import { lazy, type ReactNode, Suspense, useState } from "react";
import type { TypeView } from "../../../src/wire/model.js";
import type { PlanPlace } from "../../../src/wire/plans.js";
import { useSession } from "../../app/session.js";
import { plannedActions } from "./planned-actions.js";
import { isPlanned, mayRelease } from "./plans-api.js";

/** It needs what nobody pays for who adds nothing. */
const AddToRelease = lazy(() => import("./add-to-release.js"));

/** What adds documents to a release, for a menu or a bar. */
export interface AddingToRelease {
  /** Whether the account may. */
  readonly isOffered: boolean;
  readonly open: () => void;
  /** To be drawn beside what opens it. */
  readonly dialog: ReactNode;
}

/** Offers to add documents of a type to a release. @param onDone - called once they are added */
export function useAddToRelease(type: TypeView, places: readonly PlanPlace[], onDone?: () => void): AddingToRelease {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const isOffered = isPlanned(session, type) && mayRelease(session) && plannedActions(session, type.uid).length > 0;
  const dialog = isOpen && places.length > 0 && (
    <Suspense>
      <AddToRelease places={places} onClose={() => setOpen(false)} {...(onDone ? { onDone } : {})} />
    </Suspense>
  );
  return { isOffered, open: () => setOpen(true), dialog };
}
