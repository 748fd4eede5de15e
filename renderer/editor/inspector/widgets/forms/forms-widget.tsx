import { useForm, type WidgetProps } from '../../form/form-context.ts';
import { AddEntryButton } from '../entries/adder.tsx';
import { Entries, Entry } from '../entries/entry.tsx';
import { listItemMoves } from '../entries/moves.ts';
import { FormWidget } from './form-widget.tsx';
import { SubForm } from './sub-form.tsx';
import styles from '../../inspector.module.css';

/** A map of fields, or a list of such maps. */
export function FormsWidget(props: WidgetProps) {
  const { path, state, label, spec } = props;
  const form = useForm();
  const value = state?.value;
  const noun = spec.label.toLowerCase();
  const first = spec.fields[0]?.name ?? 'name';
  const blank = { [first]: '' };
  if (!Array.isArray(value))
    return (
      <>
        <FormWidget {...props} />
        {value !== undefined && value !== null && (
          <AddEntryButton noun={noun} onPress={() => form.set(path, { value: [value, blank] })} />
        )}
      </>
    );
  return (
    <>
      <Entries label={label}>
        {value.map((_, index) => {
          const at = [...path, index];
          return (
            <Entry
              key={index}
              label={`${noun} ${index + 1}`}
              index={index}
              moves={listItemMoves(form, path, index, value.length)}
              removed={value.length === 1 ? path : at}
              at={at}
              rows={spec.fields.map(({ name }) => [...at, name])}
              head={<span className={styles.cardTitle}>{`${label} ${index + 1}`}</span>}
            >
              <SubForm fields={spec.fields} path={at} />
            </Entry>
          );
        })}
      </Entries>
      <AddEntryButton noun={noun} onPress={() => form.set([...path, value.length], { value: blank })} />
    </>
  );
}
