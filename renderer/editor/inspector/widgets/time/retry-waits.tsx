import { decideRetry } from '../../../../../core/plan/retry.ts';
import type { JsonValue } from '../../../../../core/base/json.ts';
import { formatDuration } from '../../../../format/duration.ts';
import styles from '../../inspector.module.css';

const maxShown = 8;

/**
 * Returns the waits between attempts in milliseconds, with the engine's rules; empty if an expression decides.
 */
export function listWaits(value: JsonValue): readonly number[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [];
  const number = (input: JsonValue | undefined): number => Number(input === '' ? Number.NaN : input);
  const { limit, intervalSec, backoff, maxIntervalSec } = value;
  const factor = backoff === undefined || backoff === false ? 1 : backoff === true ? 2 : number(backoff);
  const [times, interval] = [number(limit), number(intervalSec)];
  if (![times, interval, factor].every((each) => Number.isFinite(each))) return [];
  const policy = {
    limit: times,
    intervalSec: interval,
    backoff: factor,
    exitCodes: [],
    ...(maxIntervalSec !== undefined && { maxIntervalSec: number(maxIntervalSec) }),
  };
  const waits: number[] = [];
  for (let attempt = 1; waits.length < maxShown; attempt += 1) {
    const wait = decideRetry(policy, { attempt, timedOut: false, aborted: false });
    if (wait === undefined) break;
    waits.push(wait);
  }
  return waits;
}

/** The waits as bars, with their durations. */
export function RetryWaits({ value }: { readonly value: JsonValue }) {
  const waits = listWaits(value);
  if (waits.length === 0) return null;
  const maxLength = Math.max(...waits, 1);
  const words = waits.map((wait) => formatDuration(wait));
  return (
    <figure className={styles.waits}>
      <figcaption className={styles.label}>Wait before each retry</figcaption>
      <ol>
        {waits.map((wait, index) => (
          <li key={index}>
            <span className={styles.bar} style={{ width: `${Math.max(2, (wait / maxLength) * 100)}%` }} />
            <span>{words[index]}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
