import type { Logger } from '../../base/logger.ts';
import type { ScheduleNote } from '../../model/fire-time.ts';
import type { DueDag } from './due-queue.ts';

/** Most workflows that get a note of their own per check. */
const maxNotes = 20;

/** Reports missed starts, once for each workflow, or in one sentence for very many. */
export class MissedRunsReporter {
  readonly #missed: DueDag[] = [];

  add(due: DueDag): void {
    if (due.missed + due.caughtUp > 0) this.#missed.push(due);
  }

  /** Reports the collected starts. */
  notify(at: number, logger: Logger, keep: (note: ScheduleNote) => void): void {
    if (this.#missed.length === 0) return;
    const missed = this.#missed.splice(0);
    for (const due of missed.slice(0, maxNotes)) {
      const message = formatMissedRuns(due);
      logger.info(`${due.dag.dag}: ${message}`);
      keep({ at, kind: 'missed', dag: due.dag.dag, message });
    }
    if (missed.length <= maxNotes) return;
    const message = `Missed scheduled runs of ${missed.length - maxNotes} more workflows.`;
    logger.info(message);
    keep({ at, kind: 'missed', message });
  }
}

function formatMissedRuns({ missed, caughtUp, isMissedPart }: DueDag): string {
  const count = missed + caughtUp;
  const countText = isMissedPart ? `at least ${count}` : String(count);
  const started =
    caughtUp === 0
      ? 'skipped'
      : caughtUp === count
        ? 'started now'
        : 'skipped, except the most recent one, which is started now';
  return count === 1
    ? `One scheduled run was missed and is ${started}.`
    : `${countText} scheduled runs were missed and are ${started}.`;
}
