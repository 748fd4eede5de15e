import type { JsonObject, JsonValue } from '../../../core/base/json.ts';
import type { AuthoredPath } from '../../../core/edit/outline.ts';
import { NativeSelect } from '../../ui/choices.tsx';
import { getValueText, useForm, type WidgetProps } from './form-context.ts';
import { AddEntryButton, Cell, Entries, Entry } from './entry.tsx';
import { listItemMoves } from './entry-rows.ts';
import styles from './inspector.module.css';

type ConditionKind = 'command' | 'equals' | 'matches';

/** One condition, as a row. */
interface ConditionRow {
  /** Path from the field to it; empty for a single condition outside a list. */
  readonly path: AuthoredPath;
  readonly kind: ConditionKind;
  /** The command or the compared value. */
  readonly subject: string;
  /** Key that the subject is written under; absent for a condition written as a string. */
  readonly key?: 'command' | 'condition';
  /** Without `re:`. */
  readonly expected: string;
  readonly isNegated: boolean;
}

export function readConditions(value: JsonValue): readonly ConditionRow[] {
  if (value === null) return [];
  return Array.isArray(value) ? value.map((item, index) => readRow(item, [index])) : [readRow(value, [])];
}

function readRow(value: JsonValue, path: AuthoredPath): ConditionRow {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return { path, kind: 'command', subject: getValueText(value), expected: '', isNegated: false };
  const key = value['command'] === undefined ? 'condition' : 'command';
  const expected = getValueText(value['expected']);
  const kind =
    value['expected'] === undefined ? 'command' : expected.startsWith('re:') ? 'matches' : 'equals';
  return {
    path,
    kind,
    key,
    subject: getValueText(value[key]),
    expected: kind === 'matches' ? expected.slice(3) : expected,
    isNegated: value['negate'] === true,
  };
}

/** Rewrites a condition as another kind. */
export function writeCondition(
  { subject, expected, isNegated }: ConditionRow,
  kind: ConditionKind,
): JsonValue {
  const negate: JsonObject = isNegated ? { negate: true } : {};
  if (kind === 'command') return isNegated ? { command: subject, ...negate } : subject;
  return { condition: subject, expected: kind === 'matches' ? `re:${expected}` : expected, ...negate };
}

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
