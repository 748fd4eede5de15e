import type { JsonObject } from '../../../../../core/base/json.ts';
import { isScalarValue, useForm, type WidgetProps } from '../../form/form-context.ts';
import { AddEntryButton } from '../entries/adder.tsx';
import { Entries } from '../entries/entry.tsx';
import { MultilineTextWidget } from '../values/text-widgets.tsx';
import { freeName, NamedEntry, type EntryLabels } from './named-entry.tsx';

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
