import type { JsonObject, JsonValue } from '../../../../../core/base/json.ts';
import type { AuthoredPath } from '../../../../../core/edit/outline.ts';
import type { FieldSpec } from '../../form/field-specs.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { isScalarValue, textOfValue, useForm, type WidgetProps } from '../../form/form-context.ts';
import { Adder } from '../entries/adder.tsx';
import { Cell } from '../entries/cell.tsx';
import { Entries, Entry } from '../entries/entry.tsx';
import { movesInMap } from '../entries/moves.ts';
import { LinesWidget } from '../values/text-widgets.tsx';
import styles from '../../inspector.module.css';

/** Logins by the host of their registry, each with its fields or as one text; or all of them as one JSON text. */
export function LoginsWidget(props: WidgetProps) {
  const { path, state, label, spec } = props;
  const form = useForm();
  const value = state?.value ?? null;
  if (value !== null && isScalarValue(value)) return <LinesWidget {...props} />;
  const logins = (value ?? {}) as JsonObject;
  const hosts = Object.keys(logins);
  const add = (): void => {
    const host = freeHost(hosts);
    const login = { username: '', password: '${REGISTRY_PASSWORD}' };
    void form.set(value === null ? path : [...path, host], {
      value: value === null ? { [host]: login } : login,
    });
  };
  return (
    <>
      {hosts.length > 0 && (
        <Entries label={label}>
          {hosts.map((host, place) => (
            <Login key={place} {...{ path, spec, host, hosts, place }} login={logins[host] ?? null} />
          ))}
        </Entries>
      )}
      <Adder noun="registry" onPress={add} />
    </>
  );
}

interface LoginProps {
  readonly path: AuthoredPath;
  readonly spec: FieldSpec;
  readonly host: string;
  readonly hosts: readonly string[];
  readonly place: number;
  readonly login: JsonValue;
}

function Login({ path, spec, host, hosts, place, login }: LoginProps) {
  const form = useForm();
  const at = [...path, host];
  const isText = isScalarValue(login) && login !== null;
  return (
    <Entry
      label={`registry ${host}`}
      place={place}
      moves={movesInMap(form, path, hosts, place)}
      removed={hosts.length === 1 ? path : at}
      at={at}
      rows={isText ? [] : spec.fields.map(({ name }) => [...at, name])}
      head={
        <Cell
          label={`Host of registry ${place + 1}`}
          placeholder="registry.example.com"
          value={host}
          isLive={false}
          onCommit={(key) =>
            form.edit(path, { kind: 'rename-key', target: form.target.slice(0, 1), field: at, key })
          }
        />
      }
    >
      {isText ? (
        <>
          <Cell
            label={`Login of ${host}`}
            value={textOfValue(login)}
            at={at}
            onCommit={(text) => form.set(at, { value: text })}
          />
          <div>
            <Button
              size="small"
              look="quiet"
              onPress={() => void form.set(at, { value: { auth: textOfValue(login) } })}
            >
              Set in detail
            </Button>
          </div>
        </>
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

function freeHost(hosts: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const host = number === 1 ? 'registry.example.com' : `registry${number}.example.com`;
    if (!hosts.includes(host)) return host;
  }
}
