import { lazy, Suspense } from "react";
import type { TypeView } from "../../../src/wire/model.js";
import { t } from "../../messages/text.js";
import { PopoverButton } from "../../ui/menu.js";

/** It needs what lets rows be dragged. */
const ColumnsPanel = lazy(() => import("./columns-panel.js"));

interface ColumnsProps {
  readonly type: TypeView;
  readonly columns: readonly string[];
  /** Nothing: those of the schema. */
  readonly onChange: (columns: readonly string[] | undefined) => void;
}

/** Chooses columns and their order. */
export function ColumnsButton(props: ColumnsProps) {
  return (
    <PopoverButton label={t("columns.label")} text={t("columns.button")} icon="columns-3" look="plain">
      {() => (
        <Suspense>
          <ColumnsPanel {...props} />
        </Suspense>
      )}
    </PopoverButton>
  );
}
