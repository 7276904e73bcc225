import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { saveFile } from "../../../app/download.js";
import { t } from "../../../messages/text.js";
import { Button, IconButton } from "../../../ui/button.js";
import { Empty, messageOf } from "../../../ui/state.js";
import { sayWrong } from "../../../ui/toast.js";
import { Loaded, SettingsScreen } from "../frame/settings-screen.js";
import { AuditFilter } from "./audit-filter.js";
import { AUDIT_ACTION, exportEntries, useEntries } from "./audit-requests.js";
import type { AuditSearch, ChangeAuditSearch } from "./audit-search.js";
import { Chain } from "./chain.js";
import { Entries } from "./entries.js";

const route = getRouteApi("/settings/audit");

/** Who did what, when and from where. */
export function AuditScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change: ChangeAuditSearch = (next) => void navigate({ search: { ...search, ...next } as AuditSearch });
  const entries = useEntries(search);
  const all = entries.data?.pages.flatMap(({ data }) => data);
  return (
    <SettingsScreen
      title={t("audit.title")}
      text={t("audit.text")}
      isWide
      actions={
        <>
          <IconButton icon="refresh-cw" look="plain" label={t("audit.again")} onClick={() => void entries.refetch()} />
          <Export search={search} />
        </>
      }
    >
      <Chain />
      <AuditFilter search={search} change={change} />
      <Loaded of={{ ...entries, data: all }} action={AUDIT_ACTION}>
        {(shown) =>
          shown.length === 0 ? (
            <NoEntries search={search} change={change} />
          ) : (
            <Entries
              entries={shown}
              change={change}
              hasMore={entries.hasNextPage}
              isBusy={entries.isFetchingNextPage}
              more={() => void entries.fetchNextPage()}
            />
          )
        }
      </Loaded>
    </SettingsScreen>
  );
}

interface PartProps {
  readonly search: AuditSearch;
  readonly change: ChangeAuditSearch;
}

function NoEntries({ search, change }: PartProps) {
  const names = Object.keys(search) as (keyof AuditSearch)[];
  if (names.length === 0) return <Empty icon="scroll-text" title={t("audit.empty")} text={t("audit.empty.text")} />;
  return (
    <Empty icon="search" title={t("list.nothingFound")} text={t("audit.nothingFound")}>
      <Button onClick={() => change(Object.fromEntries(names.map((name) => [name, undefined])))}>
        {t("list.clear")}
      </Button>
    </Empty>
  );
}

/** The entries that the filter selects, as a file of JSON lines. */
function Export({ search }: Pick<PartProps, "search">) {
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      saveFile(new Blob([await exportEntries(search)], { type: "application/jsonl" }), "audit.jsonl");
    } catch (error) {
      sayWrong(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button icon="download" isBusy={isBusy} onClick={() => void save()}>
      {t(isBusy ? "audit.exporting" : "audit.export")}
    </Button>
  );
}
