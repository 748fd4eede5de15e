import { CalendarClock, Play, Webhook, type LucideIcon } from 'lucide-react';
import { useNow } from '../../base/clock.ts';
import { formatDayAndTime, formatDistance } from '../../format/time.ts';
import type { TriggerText } from '../../format/labels.ts';
import { StartSchedulerButton, useIsSchedulerStopped } from './scheduler-notice.tsx';
import styles from './trigger-card.module.css';

const icons: Readonly<Record<TriggerText['kind'], LucideIcon>> = {
  schedule: CalendarClock,
  webhook: Webhook,
  manual: Play,
};

interface TriggerCardProps {
  /** At least one. */
  readonly triggers: readonly TriggerText[];
  /** The next scheduled time, in epoch milliseconds. */
  readonly next?: number | undefined;
  readonly isSuspended?: boolean;
  /** Replaces the line of the next time. */
  readonly note?: string | undefined;
  readonly zoom: 'near' | 'simple' | 'far';
  readonly isSelected?: boolean;
  /** Opens the form; without it, the card cannot be pressed. */
  readonly onOpen?: () => void;
}

/** The head of a graph: what starts the workflow, in words, and when it runs next. */
export function TriggerCard(props: TriggerCardProps) {
  const { triggers, isSuspended = false, zoom, isSelected = false, onOpen } = props;
  const isScheduled = triggers.some(({ kind }) => kind === 'schedule');
  const isStopped = useIsSchedulerStopped() && isScheduled && !isSuspended;
  const [first, ...others] = triggers;
  const Icon = icons[first?.kind ?? 'manual'];
  const state = useStateText(props, isStopped);
  const all = triggers.map(({ words }) => words).join('; ');
  const more = others.length === 0 ? '' : `+\u00A0${others.length}\u00A0more`;
  return (
    <div className={styles.card} data-zoom={zoom} data-selected={isSelected || undefined}>
      <span className={styles.icon} aria-hidden="true">
        <Icon size={zoom === 'near' ? 18 : 26} />
      </span>
      {zoom !== 'far' && (
        <span className={styles.text} aria-hidden={onOpen !== undefined}>
          <span className={styles.words}>{[first?.words, more].filter(Boolean).join(' ')}</span>
          {zoom === 'near' && state !== undefined && (
            <span className={styles.state} data-warning={isStopped || undefined}>
              {state}
            </span>
          )}
        </span>
      )}
      {onOpen && (
        <button
          type="button"
          className={`${styles.press} nodrag nopan`}
          aria-label={`Trigger: ${[all, state].filter(Boolean).join('. ')}`}
          aria-pressed={isSelected}
          title={[...triggers.map(({ words }) => words), ...(state === undefined ? [] : [state])].join('\n')}
          onClick={onOpen}
        />
      )}
      {isStopped && zoom === 'near' && (
        <StartSchedulerButton className={`${styles.startButton} nodrag nopan`} />
      )}
    </div>
  );
}

function useStateText(
  { next, note, isSuspended = false }: TriggerCardProps,
  isStopped: boolean,
): string | undefined {
  const now = useNow();
  if (note !== undefined) return note;
  if (isSuspended) return 'Schedule suspended';
  if (isStopped) return 'Scheduler not running';
  if (next === undefined) return undefined;
  const iso = new Date(next).toISOString();
  return `Next: ${formatDayAndTime(iso)} (${formatDistance(iso, now)})`;
}
