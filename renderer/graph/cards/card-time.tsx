import { useNow } from '../../app/clock.ts';
import { formatDuration, formatTicking } from '../../format/duration.ts';
import { spanOf } from '../../format/time.ts';
import styles from '../graph.module.css';
import type { StepAppearance } from '../step-appearance.ts';

/** Duration of a step so far, with its items and attempts. */
export function CardTime({ appearance }: { readonly appearance: StepAppearance }) {
  const running = appearance.status === 'running';
  const now = useNow(running);
  if (appearance.startedAt === undefined) return null;
  const span = spanOf(appearance.startedAt, appearance.finishedAt, now);
  return (
    <span className={styles.time}>
      {appearance.items !== undefined && <span className={styles.items}>{appearance.items}</span>}
      {appearance.attempts > 1 && <span className={styles.attempt}>{appearance.attempts}×</span>}
      {running ? formatTicking(span) : formatDuration(span)}
    </span>
  );
}
