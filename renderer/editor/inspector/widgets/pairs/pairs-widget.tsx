import { Plus } from 'lucide-react';
import type { JsonValue } from '../../../../../core/base/json.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { isScalarValue, textOfValue, useForm, type WidgetProps } from '../../form/form-context.ts';
import { AddEntryButton } from '../entries/adder.tsx';
import { Cell } from '../entries/cell.tsx';
import { Entries, Entry } from '../entries/entry.tsx';
import { pairMoves } from '../entries/moves.ts';
import { freeName, listParams, readPairs, type PairRow } from './read-pairs.ts';
import { parseLike, readScalar } from '../values/scalar-text.ts';
import { TextWidget } from '../values/text-widgets.tsx';

import styles from '../../inspector.module.css';

/** Names and values, in the form that the author chose. */
export function PairsWidget(props: WidgetProps) {
  const { path, state, label, spec } = props;
  const form = useForm();
  const value = state?.value ?? null;
  if (isScalarValue(value) && value !== null) return <OneText {...props} />;
  const rows = readPairs(value);
  const add = (): Promise<boolean> => {
    const name = freeName(rows);
    if (!Array.isArray(value))
      return form.set(value === null ? path : [...path, name], {
        value: value === null ? { [name]: '' } : '',
      });
    const item = rows.at(-1)?.form === 'text' ? `${name}=` : { [name]: '' };
    return form.set([...path, value.length], { value: item });
  };
  const addWord = (list: readonly JsonValue[]): void =>
    void form.set([...path, list.length], { value: 'value' });
  return (
    <>
      {rows.length > 0 && (
        <Entries label={label}>
          {rows.map((row, index) => (
            <Row
              key={
                row.path.filter((part) => typeof part === 'number').join('.') +
                (row.form === 'map' ? `#${index}` : '')
              }
              index={index}
              {...{ path, label, row, rows }}
            />
          ))}
        </Entries>
      )}
      <div className={styles.actions}>
        <AddEntryButton noun={spec.widget === 'params' ? 'parameter' : 'entry'} onPress={add} />
        {spec.widget === 'params' && Array.isArray(value) && (
          <Button size="small" variant="quiet" icon={Plus} onPress={() => addWord(value)}>
            Add unnamed value
          </Button>
        )}
      </div>
    </>
  );
}

/** Parameters in one string. */
function OneText(props: WidgetProps) {
  const { path, state } = props;
  const form = useForm();
  const convert = (): void => void form.set(path, { value: listParams(textOfValue(state?.value)) });
  return (
    <>
      <TextWidget {...props} />
      <Button size="small" variant="quiet" onPress={convert}>
        Edit as table
      </Button>
    </>
  );
}

interface RowProps {
  readonly path: WidgetProps['path'];
  readonly row: PairRow;
  readonly rows: readonly PairRow[];
  readonly index: number;
  readonly label: string;
}

function Row({ path, row, rows, index, label }: RowProps) {
  const form = useForm();
  const at = [...path, ...row.path];
  const rename = (name: string): Promise<boolean> => {
    if (row.form === 'text') return form.set(at, { value: `${name}=${row.value}` });
    return form.edit(path, { kind: 'rename-key', target: form.target.slice(0, 1), field: at, key: name });
  };
  const write = (text: string): Promise<boolean> => {
    if (row.form === 'text') return form.set(at, { value: `${row.name}=${text}` });
    return form.set(at, { value: row.plain === null ? readScalar(text) : parseLike(text, row.plain) });
  };
  const what = row.name === '' ? `${label} ${index + 1}` : row.name;
  return (
    <Entry
      label={what}
      index={index}
      moves={pairMoves(form, path, rows, index)}
      removed={rows.length === 1 ? path : [...path, ...row.whole]}
      at={at}
    >
      {row.form !== 'word' && (
        <Cell label={`Name of ${what}`} value={row.name} isLive={false} onCommit={rename} />
      )}
      <Cell
        label={row.form === 'word' ? what : `Value of ${what}`}
        value={row.value}
        at={at}
        onCommit={write}
      />
    </Entry>
  );
}
