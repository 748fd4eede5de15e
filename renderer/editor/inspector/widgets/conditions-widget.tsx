import { Plus, X } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { useForm, type WidgetProps } from '../form/form-context.ts';
import { MoveButtons } from './move-buttons.tsx';
import { readConditions, writeCondition, type ConditionKind, type ConditionRow } from './read-conditions.ts';
import { Cell } from './texts-widget.tsx';
import styles from '../inspector.module.css';

const kinds: Readonly<Record<ConditionKind, string>> = {
  command: 'Command succeeds',
  equals: 'Value equals',
  matches: 'Value matches',
};

/** Conditions that must all hold, one card each. */
export function ConditionsWidget({ path, state }: WidgetProps) {
  const form = useForm();
  const value = state?.value ?? null;
  const rows = readConditions(value);
  const add = (): void => {
    if (Array.isArray(value)) return void form.set([...path, value.length], { value: 'true' });
    void form.set(path, { value: value === null ? ['true'] : [value, 'true'] });
  };
  return (
    <>
      {rows.map((row, index) => (
        <Condition key={index} row={row} path={path} number={index + 1} count={rows.length} />
      ))}
      <div>
        <Button size="small" look="quiet" icon={Plus} onPress={add}>
          Add a condition
        </Button>
      </div>
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
    <div className={styles.card} role="group" aria-label={`Condition ${number}`}>
      <div className={styles.row}>
        <select
          className={styles.select}
          aria-label={`Kind of condition ${number}`}
          value={row.kind}
          onChange={(event) =>
            void form.set(at, { value: writeCondition(row, event.target.value as ConditionKind) })
          }
        >
          {Object.entries(kinds).map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </select>
        <MoveButtons path={path} label={`condition ${number}`} index={number - 1} count={count} />
        <IconButton
          size="small"
          icon={X}
          label={`Remove condition ${number}`}
          onPress={() => void form.set(count === 1 ? path : at, undefined)}
        />
      </div>
      <Cell
        label={isCommand ? `Command of condition ${number}` : `Value of condition ${number}`}
        placeholder={isCommand ? 'test -f ready' : '${STAGE}'}
        value={row.subject}
        onCommit={(text) => form.set(row.key === undefined ? at : [...at, row.key], { value: text })}
      />
      {!isCommand && (
        <Cell
          label={row.kind === 'equals' ? `Text it equals, ${number}` : `Regular expression, ${number}`}
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
        Turned round: holds when it does not
      </label>
    </div>
  );
}
