import { History, Repeat } from 'lucide-react';
import { Link } from 'wouter';
import type { ApprovalView } from '../../../core/contract/runs/run-views.ts';
import { paths, withQuery } from '../../app/paths.ts';
import { shortenRunId } from '../../format/run-id.ts';
import { ApprovalAnswer } from './approval-answer.tsx';
import { ApprovalQuestion } from './approval-text.tsx';
import styles from './approvals.module.css';
import { WaitDetails } from './wait-details.tsx';

/** Returns the page of the run with the step that asks. */
export const hrefOf = ({ name, dagRunId, step }: ApprovalView): string =>
  withQuery(paths.run(name, dagRunId), { step });

interface ApprovalDetailProps {
  readonly approval: ApprovalView;
  readonly onAnswer: (approval: ApprovalView) => void;
}

/** One approval with its origin and its answer. */
export function ApprovalDetail({ approval, onAnswer }: ApprovalDetailProps) {
  const { name, dagRunId, step, attempt } = approval;
  return (
    <section className={styles.detail} aria-label={`${step} of ${name}`}>
      <header className={styles.detailHead}>
        <h2 dir="auto">
          {name} › {step}
        </h2>
        <WaitDetails approval={approval}>
          <span>
            <History size={14} aria-hidden="true" />
            <Link href={hrefOf(approval)} title={dagRunId}>
              Run {shortenRunId(dagRunId)}
            </Link>
          </span>
          {attempt > 1 && (
            <span>
              <Repeat size={14} aria-hidden="true" />
              attempt {attempt}
            </span>
          )}
        </WaitDetails>
      </header>
      <div className={styles.body}>
        <div className={styles.sheet}>
          <ApprovalQuestion approval={approval} />
          <ApprovalAnswer approval={approval} onAnswer={onAnswer} />
        </div>
      </div>
    </section>
  );
}
