import { Clock, History, Hourglass, Repeat } from 'lucide-react';
import { Link } from 'wouter';
import type { ApprovalView } from '../../../core/contract/runs/run-views.ts';
import { paths, withQuery } from '../../app/paths.ts';
import { shortenRunId } from '../../format/run-id.ts';
import { FactList } from '../../ui/layout/fact-list.tsx';
import { Duration } from '../../ui/time/duration.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { ApprovalAnswer } from './approval-answer.tsx';
import { stateOf } from './approval-state.ts';
import { ApprovalText } from './approval-text.tsx';
import styles from './approvals.module.css';

/** The page of the run whose step asks, with that step. */
export const hrefOf = ({ name, dagRunId, step }: ApprovalView): string =>
  withQuery(paths.run(name, dagRunId), { step });

interface ApprovalDetailProps {
  readonly approval: ApprovalView;
  readonly onAnswer: (approval: ApprovalView) => void;
}

/** One question with where it comes from, and its answer. */
export function ApprovalDetail({ approval, onAnswer }: ApprovalDetailProps) {
  const { name, dagRunId, step, attempt, askedAt, answeredAt, endedAt } = approval;
  const isOpen = stateOf(approval) === 'open';
  return (
    <section className={styles.detail} aria-label={`${step} of ${name}`}>
      <header className={styles.detailHead}>
        <h2 dir="auto">
          {name} › {step}
        </h2>
        <FactList>
          <span>
            <History size={14} aria-hidden="true" />
            <Link href={hrefOf(approval)} title={dagRunId}>
              Run {shortenRunId(dagRunId)}
            </Link>
          </span>
          <span title="When it asked">
            <Clock size={14} aria-hidden="true" />
            asked <RelativeTime iso={askedAt} />
          </span>
          <span title={isOpen ? 'How long it has waited' : 'How long it waited'}>
            <Hourglass size={14} aria-hidden="true" />
            <Duration startedAt={askedAt} finishedAt={isOpen ? undefined : (answeredAt ?? endedAt)} />
          </span>
          {attempt > 1 && (
            <span>
              <Repeat size={14} aria-hidden="true" />
              attempt {attempt}
            </span>
          )}
        </FactList>
      </header>
      <div className={styles.body}>
        <div className={styles.sheet}>
          <ApprovalText approval={approval} />
          <ApprovalAnswer approval={approval} onAnswer={onAnswer} />
        </div>
      </div>
    </section>
  );
}
