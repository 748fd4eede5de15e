import { Plus } from 'lucide-react';
import type { JsonValue } from '../../../../../core/base/json.ts';
import type { AuthoredPath } from '../../../../../core/edit/outline.ts';
import { scheduleKinds, type ScheduleKind } from '../../../../../core/model/run/fire-time.ts';
import { describeCron } from '../../../../format/cron.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { textOfValue, useForm, type WidgetProps } from '../../form/form-context.ts';
import { Cell } from '../entries/cell.tsx';
import { Entries, Entry } from '../entries/entry.tsx';
import { listItemMoves } from '../entries/moves.ts';
import { NextRuns } from './next-runs.tsx';
import styles from '../../inspector.module.css';

const words = { start: 'Start', stop: 'Stop', restart: 'Restart' } as const;
const examples = { start: '0 6 * * *', stop: '0 18 * * *', restart: '0 0 * * *' } as const;

/** Start, stop and restart times: each expression with its meaning, and the next runs. */
export function ScheduleWidget({ path, state }: WidgetProps) {
  const form = useForm();
  const value = state?.value ?? null;
  const map = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : undefined;
  const add = (kind: ScheduleKind): void => {
    const now = map ? (map[kind] ?? null) : kind === 'start' ? value : null;
    const at = map ? [...path, kind] : path;
    const item = examples[kind];
    if (Array.isArray(now)) return void form.set([...at, now.length], { value: item });
    if (now !== null) return void form.set(at, { value: [now, item] });
    if (map || kind === 'start') return void form.set(at, { value: item });
    void form.set(path, { value: value === null ? { [kind]: item } : { start: value, [kind]: item } });
  };
  return (
    <>
      {scheduleKinds.map((kind) => {
        const at = map ? [...path, kind] : path;
        const own = map ? (map[kind] ?? null) : kind === 'start' ? value : null;
        return own === null ? null : (
          <Expressions
            key={kind}
            kind={kind}
            value={own}
            path={at}
            whole={path}
            isOnly={map === undefined || Object.keys(map).length === 1}
          />
        );
      })}
      <div className={styles.actions}>
        {scheduleKinds.map((kind) => (
          <Button key={kind} size="small" variant="quiet" icon={Plus} onPress={() => add(kind)}>
            {`Add a ${words[kind].toLowerCase()}`}
          </Button>
        ))}
      </div>
      {state && <NextRuns />}
    </>
  );
}

interface ExpressionsProps {
  readonly kind: ScheduleKind;
  readonly value: JsonValue;
  readonly path: AuthoredPath;
  /** Path of the whole schedule, which is removed with its last expression. */
  readonly whole: AuthoredPath;
  readonly isOnly: boolean;
}

function Expressions({ kind, value, path, whole, isOnly }: ExpressionsProps) {
  const form = useForm();
  const list = Array.isArray(value) ? value : [value];
  const entries = list.map((item, index) => {
    const at = Array.isArray(value) ? [...path, index] : path;
    const text = textOfValue(item);
    const removed = list.length > 1 ? at : isOnly ? whole : path;
    const name = `${words[kind].toLowerCase()} ${index + 1}`;
    return (
      <Entry
        key={index}
        label={name}
        index={index}
        moves={Array.isArray(value) ? listItemMoves(form, path, index, list.length) : {}}
        removed={removed}
        at={at}
        head={
          <>
            <span className={styles.kind}>{words[kind]}</span>
            <Cell
              label={`${words[kind]} ${index + 1}`}
              value={text}
              at={at}
              onCommit={(typed) => form.set(at, { value: typed })}
            />
          </>
        }
      >
        {describeCron(text) !== text && <p className={styles.words}>{describeCron(text)}</p>}
      </Entry>
    );
  });
  return <Entries label={`${words[kind]} schedule`}>{entries}</Entries>;
}
