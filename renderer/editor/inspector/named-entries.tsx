import type { JsonValue, JsonObject } from '../../../core/base/json.ts';
import type { AuthoredPath } from '../../../core/edit/outline.ts';
import { Button } from '../../ui/button.tsx';
import type { FieldSpec } from './field-specs.ts';
import { isScalarValue, getValueText, useForm, type WidgetProps } from './form-context.ts';
import { Cell, Entry, AddEntryButton, Entries } from './entry.tsx';
import { mapEntryMoves } from './entry-rows.ts';
import styles from './inspector.module.css';
import { MultilineTextWidget } from './text-widgets.tsx';

/** Texts for an entry. */
interface EntryLabels {
  /** For example `registry`. */
  readonly noun: string;
  /** Label of its name, for example `Host`. */
  readonly nameLabel: string;
  readonly namePlaceholder?: string;
  readonly textLabel: (name: string) => string;
  readonly textPlaceholder?: string;
  /** Label of the button that turns the string into fields. */
  readonly expandLabel: string;
  /** Converts the string to the equivalent fields. */
  readonly expand: (text: string) => JsonValue;
}

interface NamedEntryProps {
  readonly path: AuthoredPath;
  readonly spec: FieldSpec;
  readonly words: EntryLabels;
  readonly name: string;
  /** Names of all entries. */
  readonly names: readonly string[];
  readonly index: number;
  readonly value: JsonValue;
}

/** A named map entry whose value is a string or a map of fields. */
function NamedEntry({ path, spec, words, name, names, index, value }: NamedEntryProps) {
  const form = useForm();
  const at = [...path, name];
  const isText = isScalarValue(value) && value !== null;
  return (
    <Entry
      label={`${words.noun} ${name}`}
      index={index}
      moves={mapEntryMoves(form, path, names, index)}
      removed={names.length === 1 ? path : at}
      at={at}
      rows={isText ? [] : spec.fields.map((field) => [...at, field.name])}
      head={
        <Cell
          label={`${words.nameLabel} of ${words.noun} ${index + 1}`}
          {...(words.namePlaceholder !== undefined && { placeholder: words.namePlaceholder })}
          value={name}
          isLive={false}
          onCommit={(key) =>
            form.edit(path, { kind: 'rename-key', target: form.target.slice(0, 1), field: at, key })
          }
        />
      }
    >
      {isText ? (
        <TextValue at={at} name={name} words={words} text={getValueText(value)} />
      ) : (
        <div className={styles.subForm}>
          {spec.fields.map((field) => (
            <form.Row key={field.name} spec={field} path={[...at, field.name]} />
          ))}
        </div>
      )}
    </Entry>
  );
}

interface TextValueProps {
  readonly at: AuthoredPath;
  readonly name: string;
  readonly words: EntryLabels;
  readonly text: string;
}

function TextValue({ at, name, words, text }: TextValueProps) {
  const form = useForm();
  return (
    <>
      <Cell
        label={words.textLabel(name)}
        {...(words.textPlaceholder !== undefined && { placeholder: words.textPlaceholder })}
        value={text}
        at={at}
        onCommit={(value) => form.set(at, { value })}
      />
      <div>
        <Button size="small" variant="quiet" onPress={() => void form.set(at, { value: words.expand(text) })}>
          {words.expandLabel}
        </Button>
      </div>
    </>
  );
}

/** Returns the first unused name. @param getName returns the name with a number, from 1 */
function freeName(names: readonly string[], getName: (number: number) => string): string {
  for (let number = 1; ; number += 1) {
    const name = getName(number);
    if (!names.includes(name)) return name;
  }
}

const words: EntryLabels = {
  noun: 'registry',
  nameLabel: 'Host',
  namePlaceholder: 'registry.example.com',
  textLabel: (host) => `Credentials for ${host}`,
  expandLabel: 'Advanced',
  expand: (text) => ({ auth: text }),
};

/** Registry logins by host, each as fields or as one string; or all of them as one JSON string. */
export function RegistryLoginsWidget(props: WidgetProps) {
  const { path, state, label, spec } = props;
  const form = useForm();
  const value = state?.value ?? null;
  if (value !== null && isScalarValue(value)) return <MultilineTextWidget {...props} />;
  const logins = (value ?? {}) as JsonObject;
  const hosts = Object.keys(logins);
  const add = (): Promise<boolean> => {
    const host = freeName(hosts, (number) => `registry${number === 1 ? '' : number}.example.com`);
    const login = { username: '', password: '${REGISTRY_PASSWORD}' };
    return form.set(value === null ? path : [...path, host], {
      value: value === null ? { [host]: login } : login,
    });
  };
  return (
    <>
      {hosts.length > 0 && (
        <Entries label={label}>
          {hosts.map((host, index) => (
            <NamedEntry
              key={index}
              {...{ path, spec, words, index }}
              name={host}
              names={hosts}
              value={logins[host] ?? null}
            />
          ))}
        </Entries>
      )}
      <AddEntryButton noun="registry" onPress={add} />
    </>
  );
}

const placeholder = '$.sender.login';

const payloadWords: EntryLabels = {
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
              {...{ path, spec, words: payloadWords, name, names, index }}
              value={params[name] ?? ''}
            />
          ))}
        </Entries>
      )}
      <AddEntryButton noun="parameter" onPress={add} />
    </>
  );
}
