import { ZoneSelect } from "../../fields/date/date-field.js";
import { t } from "../../messages/text.js";
import { Icon } from "../../ui/icon.js";
import styles from "./plans.module.css";

interface ZoneLineProps {
  readonly zone: string;
  readonly onChange: (zone: string) => void;
}

/** By which clocks times are shown, and another choice. */
export function ZoneLine({ zone, onChange }: ZoneLineProps) {
  return (
    <div className={styles.zone}>
      <Icon name="globe" size={1} />
      <span>{t("plan.zone")}</span>
      <ZoneSelect label={t("plan.zone")} zone={zone} onChange={onChange} />
    </div>
  );
}
