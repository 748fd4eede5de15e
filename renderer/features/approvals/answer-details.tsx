import type { ApprovalView } from '../../../core/contract/runs/run-views.ts';
import { formatActor, isNamedActor } from '../../../core/model/run/actor.ts';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { stateOf } from './approval-state.ts';
import styles from './approvals.module.css';
import { ApprovalStateBadge } from './state-mark.tsx';

/** The answer of an approval: who gave it, when, with which comment and values. */
export function AnswerDetails({ approval }: { readonly approval: ApprovalView }) {
  const { answeredBy, answeredAt, endedAt, comment = '', values = {} } = approval;
  const state = stateOf(approval);
  const at = answeredAt ?? endedAt;
  const filled = Object.entries(values).filter(([, value]) => value !== '');
  return (
    <div className={styles.answer} data-state={state} role="group" aria-label="Answer">
      <p className={styles.answerHead}>
        <ApprovalStateBadge state={state} />
        <span>
          {isNamedActor(answeredBy) ? (
            <>
              by <b dir="auto">{answeredBy}</b>,{' '}
            </>
          ) : (
            answeredBy !== undefined && `${formatActor(answeredBy)}, `
          )}
          {at !== undefined && <RelativeTime iso={at} />}
        </span>
      </p>
      {state === 'ended' && (
        <p className={styles.quiet}>The step ended without an answer (stopped or timed out).</p>
      )}
      {comment !== '' && (
        <blockquote className={styles.comment} dir="auto">
          {comment}
        </blockquote>
      )}
      {filled.length > 0 && (
        <dl className={styles.values}>
          {filled.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
