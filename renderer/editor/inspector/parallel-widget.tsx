import type { JsonValue, JsonObject } from '../../../core/base/json.ts';
import { secretProviders } from '../../../core/spec/rules/env.ts';
import type { AuthoredPath } from '../../../core/edit/outline.ts';
import { Button } from '../../ui/button.tsx';
import { NativeSelect } from '../../ui/choices.tsx';
import { isScalarValue, getValueText, useForm, type WidgetProps } from './form-context.ts';
import { AddEntryButton, Cell, Entries, Entry } from './entry.tsx';
import { listItemMoves } from './entry-rows.ts';
import { FormWidget } from './form-widgets.tsx';
import { PairsWidget } from './pairs-widget.tsx';
import { readScalar, Line } from './text-widgets.tsx';
import styles from './inspector.module.css';
import type { FieldSpec } from './field-specs.ts';

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

/** Those with options. */
const providersWithOptions: readonly string[] = ['command', 'vault'];

/** Secrets as cards: the variable, the source of its value, and what to look up there. */
export function SecretsWidget({ path, state, label, spec }: WidgetProps) {
  const form = useForm();
  const list = (state?.value ?? []) as readonly JsonObject[];
  const first = { name: 'SECRET', provider: 'env', key: 'SECRET' };
  const add = (): Promise<boolean> =>
    form.set(state ? [...path, list.length] : path, { value: state ? first : [first] });
  return (
    <>
      {list.length > 0 && (
        <Entries label={label}>
          {list.map((secret, index) => (
            <Secret key={index} {...{ path, spec, secret, index }} count={list.length} />
          ))}
        </Entries>
      )}
      <AddEntryButton noun="secret" onPress={add} />
    </>
  );
}

interface SecretProps {
  readonly path: AuthoredPath;
  readonly spec: FieldSpec;
  readonly secret: JsonObject;
  readonly index: number;
  readonly count: number;
}

function Secret({ path, spec, secret, index, count }: SecretProps) {
  const form = useForm();
  const at = [...path, index];
  const number = index + 1;
  const provider = getValueText(secret['provider']);
  const options = spec.fields.find(({ name }) => name === 'options');
  const cell = (key: string, words: string) => (
    <Cell
      label={`${words} of secret ${number}`}
      placeholder={words}
      value={getValueText(secret[key])}
      at={[...at, key]}
      onCommit={(text) => form.set([...at, key], { value: text })}
    />
  );
  const hasOptions =
    secret['options'] !== undefined ||
    providersWithOptions.includes(provider) ||
    !secretProviders.includes(provider);
  return (
    <Entry
      label={`secret ${number}`}
      index={index}
      moves={listItemMoves(form, path, index, count)}
      removed={count === 1 ? path : at}
      at={at}
      rows={hasOptions ? [[...at, 'options']] : []}
      head={cell('name', 'Variable')}
    >
      <div className={styles.row}>
        <NativeSelect
          isField
          aria-label={`Provider of secret ${number}`}
          value={provider}
          onChange={(event) => void form.set([...at, 'provider'], { value: event.target.value })}
        >
          {[...new Set([...secretProviders, provider])].map((each) => (
            <option key={each}>{each}</option>
          ))}
        </NativeSelect>
        {cell('key', 'Key')}
      </div>
      {hasOptions && options && <form.Row spec={options} path={[...at, 'options']} />}
    </Entry>
  );
}
