import { useEffect, useRef, useState } from "react";
import type { TypeView } from "../../../src/wire/model.js";
import { useCommands } from "../../app/commands.js";
import { download } from "../../app/download.js";
import { type ListSearch, queryOf } from "../../app/list-search.js";
import { language, t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Menu } from "../../ui/menu.js";
import { messageOf } from "../../ui/state.js";
import { sayDone, sayWrong } from "../../ui/toast.js";
import { ApiError } from "../../app/api.js";
import { fieldsOf, useAsked } from "./list-data.js";

interface CsvProps {
  readonly type: TypeView;
  readonly columns: readonly string[];
  readonly search: ListSearch;
  /** Of the saved view, for the name of the file. */
  readonly viewName: string | undefined;
}

/** Whether a country writes decimals with a comma: there, spreadsheets want a semicolon between cells. */
const hasDecimalComma = (): boolean => new Intl.NumberFormat(language()).format(1.5).includes(",");

/** Downloads all rows of the list as it is shown: plain, or as spreadsheets of the reader's country open it. */
export function CsvButton({ type, columns, search, viewName }: CsvProps) {
  const { cursor: _cursor, size: _size, ...asked } = useAsked(type, search);
  const running = useRef<AbortController>(undefined);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (form: Readonly<Record<string, string>>) => {
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    const named = viewName === undefined ? {} : { name: viewName };
    const query = queryOf(asked, { ...fieldsOf(type, columns), ...named, ...form });
    try {
      sayDone(t("csv.done", { name: await download(`/content/${type.uid}/export?${query}`, controller.signal) }));
    } catch (error) {
      if (!controller.signal.aborted) sayWrong(textOf(error));
    } finally {
      setBusy(false);
    }
  };
  const plain = () => void run({});
  useCommands("list.csv", [{ id: "csv", label: t("csv.button"), icon: "download", words: "csv", run: plain }]);
  if (isBusy)
    return (
      <Button icon="x" onClick={() => running.current?.abort()}>
        {t("csv.stop")}
      </Button>
    );
  const sheet = { bom: "true", separator: hasDecimalComma() ? "semicolon" : "comma" };
  return (
    <Menu
      label={t("csv.button")}
      icon="download"
      groups={[
        [
          { id: "plain", label: t("csv.plain"), icon: "download", run: plain },
          { id: "sheet", label: t("csv.sheet"), icon: "columns-3", run: () => void run(sheet) },
        ],
      ]}
    />
  );
}

function textOf(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOf(error);
  if (error.code === "PLINTH_ADMIN_EXPORT_TOO_LARGE")
    return t("csv.tooLarge", { count: Number(error.details["maximum"]) });
  return error.isOffline ? t("csv.brokenOff") : messageOf(error);
}
