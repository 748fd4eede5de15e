import { Segmented } from '../../../../ui/controls/segmented.tsx';
import { NativeSelect } from '../../../../ui/controls/native-select.tsx';
import { textOfValue, useForm, written, type WidgetProps } from '../../form/form-context.ts';
import styles from '../../inspector.module.css';

const flagChoices = [
  { value: 'default', label: 'Default' },
  { value: 'true', label: 'On' },
  { value: 'false', label: 'Off' },
] as const;

/** On, off, or the default. */
export function BooleanWidget({ path, state, label }: WidgetProps) {
  const form = useForm();
  const value = typeof state?.value === 'boolean' ? (`${state.value}` as const) : 'default';
  return (
    <Segmented
      label={label}
      value={value}
      choices={flagChoices}
      onChange={(next) => void form.set(path, written(next === 'default' ? undefined : next === 'true'))}
    />
  );
}

/** One of the values that the schema lists, with its meaning. */
export function ChoiceWidget({ path, state, spec, inputId, describedBy, isInvalid, isMixed }: WidgetProps) {
  const form = useForm();
  const value = textOfValue(state?.value);
  const chosen = spec.choices.find((choice) => choice.value === value);
  const choose = (next: string): void =>
    void form.set(path, written(next === '' ? undefined : next === 'true' || (next !== 'false' && next)));
  return (
    <>
      <NativeSelect
        id={inputId}
        isField
        value={value}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || undefined}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">{isMixed ? 'Different values' : 'Default'}</option>
        {chosen === undefined && value !== '' && <option value={value}>{value}</option>}
        {spec.choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.value}
          </option>
        ))}
      </NativeSelect>
      {chosen?.description !== undefined && <p className={styles.note}>{chosen.description}</p>}
    </>
  );
}
