import type { JsonObject } from '../../../core/base/json.ts';
import { secretProviders } from '../../../core/spec/rules/env.ts';
import type { AuthoredPath } from '../../../core/edit/outline.ts';
import { NativeSelect } from '../../ui/choices.tsx';
import { getValueText, useForm, type WidgetProps } from './form-context.ts';
import type { FieldSpec } from './field-specs.ts';
import { AddEntryButton, Cell, Entries, Entry } from './entry.tsx';
import { listItemMoves } from './entry-rows.ts';
import styles from './inspector.module.css';

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
