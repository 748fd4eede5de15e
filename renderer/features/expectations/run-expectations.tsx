import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { useRunExpectations } from '../../api/expectation-queries.ts';
import { useNow } from '../../base/clock.ts';
import { isActive } from '../../format/labels.ts';
import { formatDuration, getSpan } from '../../format/time.ts';
import { Notice } from '../../ui/state.tsx';
import { MissedMark } from './missed-mark.tsx';
import styles from './expectations.module.css';

/** Which expectations a run has missed, and how long it usually takes while it is long. */
export function RunExpectations({ run }: { readonly run: RunDetailView }) {
  const active = isActive(run);
  const expectations = useRunExpectations(run, active).data;
  if (expectations === undefined || expectations.missed.length === 0) return null;
  const { missed, usual } = expectations;
  return (
    <Notice tone="warning">
      <ul className={styles.list}>
        {missed.map((miss) => (
          <li key={`${miss.kind} ${miss.deadline}`}>
            <MissedMark missed={[miss]} /> {miss.message}
          </li>
        ))}
      </ul>
      {active && usual.medianSeconds !== undefined && usual.runs >= usual.neededRuns && (
        <UsualAndNow medianMs={usual.medianSeconds * 1000} run={run} />
      )}
    </Notice>
  );
}

function UsualAndNow({ medianMs, run }: { readonly medianMs: number; readonly run: RunDetailView }) {
  const now = useNow();
  if (run.startedAt === undefined) return null;
  return (
    <span>
      Usually {formatDuration(medianMs)}, now {formatDuration(getSpan(run.startedAt, undefined, now))}.
    </span>
  );
}
