import { useNow } from '../../app/clock.ts';
import { formatDuration, formatTicking } from '../../format/duration.ts';
import { spanOf } from '../../format/time.ts';
import styles from '../graph.module.css';
import type { StepAppearance } from '../step-appearance.ts';

/** Duration of a step so far, with its items and attempts. */
export function CardTime({ look }: { readonly look: StepAppearance }) {
  const running = look.status === 'running';
  const now = useNow(running);
  if (look.startedAt === undefined) return null;
  const span = spanOf(look.startedAt, look.finishedAt, now);
  return (
    <span className={styles.time}>
      {look.items !== undefined && <span className={styles.items}>{look.items}</span>}
      {look.attempts > 1 && <span className={styles.attempt}>{look.attempts}×</span>}
      {running ? formatTicking(span) : formatDuration(span)}
    </span>
  );
}
