import type { JsonValue } from '../../../core/base/json.ts';
import { Button } from '../../ui/button.tsx';
import { isScalarValue, getValueText, useForm, type WidgetProps } from './form-context.ts';
import { AddEntryButton, Cell, Entries, Entry } from './entry.tsx';
import { listItemMoves } from './entry-rows.ts';
import { FormWidget } from './form-widgets.tsx';
import { PairsWidget } from './pairs-widget.tsx';
import { readScalar, Line } from './text-widgets.tsx';
import styles from './inspector.module.css';

/** The parallel items: an expression, a list of values and maps, or a map with the number of parallel items. */
export function ParallelWidget(props: WidgetProps) {
  const { path, state } = props;
  const form = useForm();
  const value = state?.value;
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return <FormWidget {...props} />;
  return (
    <>
      {Array.isArray(value) ? <Items {...props} items={value} /> : <Expression {...props} />}
      {value !== undefined && path.length === 1 && (
        <div>
          <Button
            size="small"
            variant="quiet"
            onPress={() => form.set(path, { value: { items: value, maxConcurrent: 4 } })}
          >
            Set concurrency
          </Button>
        </div>
      )}
    </>
  );
}

/** One expression whose value is split when the step starts. */
function Expression(props: WidgetProps) {
  const { path, state } = props;
  const form = useForm();
  const first = getValueText(state?.value);
  return (
    <>
      <Line
        {...props}
        example="${REGIONS}"
        inputId={`${props.inputId}1`}
        toValue={(text) => (text === '' ? undefined : text)}
      />
      <AddEntryButton noun="item" onPress={() => form.set(path, { value: [first || 'item 1'] })} />
    </>
  );
}

function Items(props: WidgetProps & { readonly items: readonly JsonValue[] }) {
  const { path, items, label } = props;
  const form = useForm();
  const count = items.length;
  // A new item gets the fields of the previous one.
  const last = items.at(-1);
  const blank = isScalarValue(last)
    ? { name: '' }
    : Object.fromEntries(Object.keys(last as object).map((key) => [key, '']));
  return (
    <>
      <Entries label={label}>
        {items.map((item, index) => {
          const at = [...path, index];
          const name = `item ${index + 1}`;
          const entry = {
            ...{ label: name, index: index, at, removed: count === 1 ? path : at },
            moves: listItemMoves(form, path, index, count),
          };
          return isScalarValue(item) ? (
            <Entry key={index} {...entry}>
              <Cell
                label={`Value of ${name}`}
                value={getValueText(item)}
                at={at}
                onCommit={(text) => form.set(at, { value: readScalar(text) })}
              />
            </Entry>
          ) : (
            <Entry
              key={index}
              {...entry}
              head={<span className={styles.cardTitle}>{`Item ${index + 1}`}</span>}
              rows={Object.keys(item as object).map((key) => [...at, key])}
            >
              <PairsWidget {...props} path={at} state={form.getState(at)} label={name} />
            </Entry>
          );
        })}
      </Entries>
      <div className={styles.actions}>
        <AddEntryButton noun="item" onPress={() => form.set([...path, count], { value: '' })} />
        <AddEntryButton noun="map of values" onPress={() => form.set([...path, count], { value: blank })} />
      </div>
    </>
  );
}
