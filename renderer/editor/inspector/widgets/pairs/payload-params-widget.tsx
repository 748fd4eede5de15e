import type { JsonObject, JsonValue } from '../../../../../core/base/json.ts';
import type { AuthoredPath } from '../../../../../core/edit/outline.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import type { FieldSpec } from '../../form/field-specs.ts';
import { isScalarValue, textOfValue, useForm, type WidgetProps } from '../../form/form-context.ts';
import { Adder } from '../entries/adder.tsx';
import { Cell } from '../entries/cell.tsx';
import { Entries, Entry } from '../entries/entry.tsx';
import { movesInMap } from '../entries/moves.ts';
import styles from '../../inspector.module.css';

/** Parameters by their names, each with its place in a payload, or with that and a default. */
export function PayloadParamsWidget({ path, state, label, spec }: WidgetProps) {
  const form = useForm();
  const value = state?.value ?? null;
  const params = (value ?? {}) as JsonObject;
  const names = Object.keys(params);
  const add = (): void => {
    const name = freeName(names);
    void form.set(value === null ? path : [...path, name], {
      value: value === null ? { [name]: placeholder } : placeholder,
    });
  };
  return (
    <>
      {names.length > 0 && (
        <Entries label={label}>
          {names.map((name, place) => (
            <Param key={place} {...{ path, spec, name, names, place }} from={params[name] ?? null} />
          ))}
        </Entries>
      )}
      <Adder noun="parameter" onPress={add} />
    </>
  );
}

const placeholder = '$.sender.login';

interface ParamProps {
  readonly path: AuthoredPath;
  readonly spec: FieldSpec;
  readonly name: string;
  readonly names: readonly string[];
  readonly place: number;
  readonly from: JsonValue;
}

function Param({ path, spec, name, names, place, from }: ParamProps) {
  const form = useForm();
  const at = [...path, name];
  const isText = isScalarValue(from);
  return (
    <Entry
      label={`parameter ${name}`}
      place={place}
      moves={movesInMap(form, path, names, place)}
      removed={names.length === 1 ? path : at}
      at={at}
      rows={isText ? [] : spec.fields.map((field) => [...at, field.name])}
      head={
        <Cell
          label={`Name of parameter ${place + 1}`}
          value={name}
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
            label={`Place of ${name} in the payload`}
            placeholder={placeholder}
            value={textOfValue(from)}
            at={at}
            onCommit={(text) => form.set(at, { value: text })}
          />
          <div>
            <Button
              size="small"
              look="quiet"
              onPress={() => void form.set(at, { value: { path: textOfValue(from), default: '' } })}
            >
              Give a default
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

function freeName(names: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'SENDER' : `SENDER_${number}`;
    if (!names.includes(name)) return name;
  }
}
