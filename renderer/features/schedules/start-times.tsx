import { PenLine, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Schedule } from '../../../core/model/workflow.ts';
import type { StartTime } from '../../../core/edit/steps/set-start-time.ts';
import { formatCron, readTimeZone } from '../../format/time.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/state.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import type { ScheduleChange } from './use-save-schedule.ts';
import styles from './schedules.module.css';

export const kindLabels = { start: 'Start', stop: 'Stop', restart: 'Restart' } as const;

interface OtherRulesProps {
  readonly schedule: Schedule;
  readonly kinds: readonly ('start' | 'stop' | 'restart')[];
}

/** Expressions in words, without actions. */
export const OtherRules = ({ schedule, kinds }: OtherRulesProps) =>
  kinds.flatMap((kind) =>
    schedule[kind].map((expression) => (
      <li key={`${kind} ${expression}`}>
        <span className={styles.kind}>{kindLabels[kind]}</span>
        <span>{formatCron(expression)}</span>
        <code>{expression}</code>
      </li>
    )),
  );

/** Splits an expression of the API into fields and time zone. */
function toStartTime(expression: string): StartTime {
  const [, zone, fields] = /^CRON_TZ=(\S+) (.*)$/s.exec(expression) ?? [];
  return zone === undefined ? { expression } : { expression: fields!, zone };
}

interface StartTimeItemProps {
  readonly expression: string;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function StartTimeItem({ expression, onEdit, onRemove }: StartTimeItemProps) {
  const words = formatCron(expression);
  return (
    <li>
      <span>{words}</span>
      <code>{expression}</code>
      <span className={styles.ruleActions}>
        <IconButton size="small" icon={PenLine} label={`Edit ${words}`} onPress={onEdit} />
        <IconButton size="small" icon={Trash2} label={`Remove ${words}`} onPress={onRemove} />
      </span>
    </li>
  );
}

/** Saves changes of start times. */
export interface ScheduleSaver {
  readonly isPending: boolean;
  readonly error: Error | null;
  /** @param onSaved called after success */
  readonly save: (change: ScheduleChange, onSaved?: () => void) => void;
  /** Discards the error. */
  readonly reset: () => void;
}

interface StartTimesProps {
  readonly schedule: Schedule;
  /** Time zone of expressions that name none. */
  readonly zone: string;
  readonly saver: ScheduleSaver;
  /** Shown below the times while no form is open. */
  readonly children?: React.ReactNode;
}

/** The start times with a form for one of them; without any, the form for the first one is open. */
export function StartTimes({ schedule, zone, saver, children }: StartTimesProps) {
  const { start } = schedule;
  const [edited, setEdited] = useState<number>();
  const isEmpty = Object.values(schedule).every((times) => times.length === 0);
  const open = edited ?? (isEmpty ? 0 : undefined);
  const close = (): void => {
    saver.reset();
    setEdited(undefined);
  };
  return (
    <div className={styles.editor}>
      {isEmpty && <h2>Run this workflow on a schedule</h2>}
      <ul className={styles.rules}>
        {start.map((expression, index) => (
          <StartTimeItem
            key={expression}
            expression={expression}
            onEdit={() => setEdited(index)}
            onRemove={() => saver.save({ index })}
          />
        ))}
        <OtherRules schedule={schedule} kinds={['stop', 'restart']} />
      </ul>
      {open !== undefined && (
        <ScheduleForm
          key={open}
          {...(start[open] !== undefined && { initial: toStartTime(start[open]) })}
          defaultZone={zone}
          userZone={readTimeZone().name}
          submitLabel={open < start.length ? 'Save' : 'Add schedule'}
          isPending={saver.isPending}
          error={saver.error}
          onSubmit={(time) => saver.save({ index: open, time }, close)}
          {...(!isEmpty && { onCancel: close })}
        />
      )}
      {open === undefined && saver.error !== null && <Notice tone="error">{saver.error.message}</Notice>}
      {open === undefined && (
        <div>
          <Button size="small" icon={Plus} onPress={() => setEdited(start.length)}>
            Add time
          </Button>
        </div>
      )}
      {open === undefined && children}
    </div>
  );
}
