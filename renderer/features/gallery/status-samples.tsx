import { runStatuses, stepStatuses } from '../../../core/model/run/status.ts';
import { statusLabels } from '../../format/status.ts';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { StatusMeter } from '../../ui/status/status-meter.tsx';
import { StatusShape } from '../../ui/status/status-shape.tsx';
import { StatusSpark } from '../../ui/status/status-spark.tsx';
import { type ApprovalState, stateStyles } from '../approvals/approval-state.ts';
import { ApprovalStateBadge } from '../approvals/state-mark.tsx';
import styles from './gallery.module.css';
import { Section } from './section.tsx';

const sizes = [12, 14, 16, 24];

const meters = [
  { text: '0 of 120 done', segments: [] },
  {
    text: '37 of 120 done, 2 failed, 10 running',
    segments: [
      { status: 'succeeded', count: 35, done: true },
      { status: 'failed', count: 2, done: true },
      { status: 'running', count: 10, done: false },
    ],
  },
  { text: '120 of 120 done', segments: [{ status: 'succeeded', count: 120, done: true }] },
] as const;

const approvalStates = Object.keys(stateStyles) as ApprovalState[];

/** Icons, labels and colors of run statuses and approval states. */
export function StatusSamples() {
  return (
    <Section title="Status">
      <table className={styles.statusTable}>
        <tbody>
          {stepStatuses.map((status) => (
            <tr key={status}>
              {sizes.map((size) => (
                <td key={size}>
                  <StatusShape status={status} size={size} />
                </td>
              ))}
              <td>
                <StatusBadge status={status} />
              </td>
              <td>
                <StatusBadge status={status} variant="pill" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles.row}>
        {approvalStates.map((state) => (
          <ApprovalStateBadge key={state} state={state} />
        ))}
      </div>
      {meters.map((segments) => (
        <StatusMeter key={segments.text} label="Items" total={120} {...segments} />
      ))}
      <div className={styles.sparks}>
        {runStatuses.map((status) => (
          <span key={status} className={styles.spark}>
            <StatusSpark statuses={Array.from({ length: 10 }, () => status)} />
            {statusLabels[status]}
          </span>
        ))}
      </div>
    </Section>
  );
}
