import type { JsonObject } from '../../../../../core/base/json.ts';
import { useForm, type WidgetProps } from '../../form/form-context.ts';
import { AddEntryButton } from '../entries/adder.tsx';
import { Entries } from '../entries/entry.tsx';
import { freeName, NamedEntry, type EntryLabels } from './named-entry.tsx';

const placeholder = '$.sender.login';

const words: EntryLabels = {
  noun: 'parameter',
  nameLabel: 'Name',
  textLabel: (name) => `JSONPath of ${name}`,
  textPlaceholder: placeholder,
  expandLabel: 'Set default',
  expand: (text) => ({ path: text, default: '' }),
};

/** Parameters by name, each with its path in a payload, and optionally a default. */
export function PayloadParamsWidget({ path, state, label, spec }: WidgetProps) {
  const form = useForm();
  const value = state?.value ?? null;
  const params = (value ?? {}) as JsonObject;
  const names = Object.keys(params);
  const add = (): Promise<boolean> => {
    const name = freeName(names, (number) => (number === 1 ? 'SENDER' : `SENDER_${number}`));
    return form.set(value === null ? path : [...path, name], {
      value: value === null ? { [name]: placeholder } : placeholder,
    });
  };
  return (
    <>
      {names.length > 0 && (
        <Entries label={label}>
          {names.map((name, index) => (
            <NamedEntry
              key={index}
              {...{ path, spec, words, name, names, index }}
              value={params[name] ?? ''}
            />
          ))}
        </Entries>
      )}
      <AddEntryButton noun="parameter" onPress={add} />
    </>
  );
}
