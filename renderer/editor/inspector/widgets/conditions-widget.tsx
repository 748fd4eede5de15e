import { NativeSelect } from '../../../ui/controls/native-select.tsx';
import { useForm, type WidgetProps } from '../form/form-context.ts';
import { AddEntryButton } from './entries/adder.tsx';
import { Cell } from './entries/cell.tsx';
import { Entries, Entry } from './entries/entry.tsx';
import { listItemMoves } from './entries/moves.ts';
import { readConditions, writeCondition, type ConditionKind, type ConditionRow } from './read-conditions.ts';
import styles from '../inspector.module.css';

const kinds: Readonly<Record<ConditionKind, string>> = {
  command: 'Command succeeds',
  equals: 'Value equals',
  matches: 'Value matches',
};

/** Conditions that must all hold, one card each. */
export function ConditionsWidget({ path, state, label }: WidgetProps) {
  const form = useForm();
  const value = state?.value ?? null;
  const rows = readConditions(value);
  const add = (): Promise<boolean> => {
    if (Array.isArray(value)) return form.set([...path, value.length], { value: 'true' });
    return form.set(path, { value: value === null ? ['true'] : [value, 'true'] });
  };
  return (
    <>
      {rows.length > 0 && (
        <Entries label={label}>
          {rows.map((row, index) => (
            <Condition key={index} row={row} path={path} number={index + 1} count={rows.length} />
          ))}
        </Entries>
      )}
      <AddEntryButton noun="condition" onPress={add} />
    </>
  );
}

interface ConditionProps {
  readonly row: ConditionRow;
  readonly path: WidgetProps['path'];
  readonly number: number;
  readonly count: number;
}

function Condition({ row, path, number, count }: ConditionProps) {
  const form = useForm();
  const at = [...path, ...row.path];
  const isCommand = row.kind === 'command';
  const setNegated = (isNegated: boolean): void =>
    void (row.key === undefined
      ? form.set(at, { value: writeCondition({ ...row, isNegated }, row.kind) })
      : form.set([...at, 'negate'], isNegated ? { value: true } : undefined));
  return (
    <Entry
      label={`condition ${number}`}
      index={number - 1}
      moves={row.path.length === 0 ? {} : listItemMoves(form, path, number - 1, count)}
      removed={count === 1 ? path : at}
      at={at}
      head={
        <KindChoice
          number={number}
          value={row.kind}
          onChange={(kind) => void form.set(at, { value: writeCondition(row, kind) })}
        />
      }
    >
      <Cell
        label={isCommand ? `Command of condition ${number}` : `Value of condition ${number}`}
        placeholder={isCommand ? 'test -f ready' : '${STAGE}'}
        value={row.subject}
        at={at}
        onCommit={(text) => form.set(row.key === undefined ? at : [...at, row.key], { value: text })}
      />
      {!isCommand && (
        <Cell
          label={row.kind === 'equals' ? `Expected value ${number}` : `Regular expression ${number}`}
          placeholder={row.kind === 'equals' ? 'prod' : '^[1-5]$'}
          value={row.expected}
          onCommit={(text) =>
            form.set([...at, 'expected'], { value: row.kind === 'matches' ? `re:${text}` : text })
          }
        />
      )}
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={row.isNegated}
          onChange={(event) => setNegated(event.target.checked)}
        />
        Negate
      </label>
    </Entry>
  );
}

interface KindChoiceProps {
  readonly number: number;
  readonly value: ConditionKind;
  readonly onChange: (kind: ConditionKind) => void;
}

function KindChoice({ number, value, onChange }: KindChoiceProps) {
  return (
    <NativeSelect
      isField
      aria-label={`Type of condition ${number}`}
      value={value}
      onChange={(event) => onChange(event.target.value as ConditionKind)}
    >
      {Object.entries(kinds).map(([kind, words]) => (
        <option key={kind} value={kind}>
          {words}
        </option>
      ))}
    </NativeSelect>
  );
}
