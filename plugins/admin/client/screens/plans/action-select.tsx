import type { PlannedAction } from "../../../src/wire/plans.js";
import { t } from "../../messages/text.js";
import { Field, Select, tiedTo } from "../../ui/field.js";

interface ActionSelectProps {
  readonly label: string;
  readonly value: PlannedAction;
  readonly actions: readonly PlannedAction[];
  readonly onChange: (action: PlannedAction) => void;
}

/** Whether documents are published or taken back. */
export const ActionSelect = ({ label, value, actions, onChange }: ActionSelectProps) => (
  <Field label={label}>
    {(ids) => (
      <Select {...tiedTo(ids)} value={value} onChange={({ target }) => onChange(target.value as PlannedAction)}>
        {actions.map((action) => (
          <option key={action} value={action}>
            {t(`plan.verb.${action}`)}
          </option>
        ))}
      </Select>
    )}
  </Field>
);
