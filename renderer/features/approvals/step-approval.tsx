import { Clock, Hourglass, Timer } from 'lucide-react';
import type { ApprovalView, RunDetailView, StepRunView } from '../../../core/contract/run-views.ts';
import type { Step } from '../../../core/model/step.ts';
import type { RunRef } from '../../../core/model/run.ts';
import { ScrollArea } from '../../ui/page.tsx';
import { DetailList } from '../../ui/detail-list.tsx';
import { Duration, RelativeTime } from '../../ui/time.tsx';
import { useRunApprovals, useOpenApprovals, getState, getFirstLine } from '../../api/approval-queries.ts';
import { isActive } from '../../format/labels.ts';
import { useCan } from '../../api/session-queries.ts';
import type { NodeRef } from '../../graph/workflow-graph.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/state.tsx';
import styles from './approvals.module.css';
import { AnswerDetails, ApprovalAnswer } from './approval-answer.tsx';

/** The question and its longer details. */
export function ApprovalQuestion({ approval: { question, details } }: { readonly approval: ApprovalView }) {
  return (
    <>
      <p className={styles.question} dir="auto">
        {question}
      </p>
      {details !== undefined && details !== '' && (
        <ScrollArea className={styles.details} dir="auto" aria-label="Details">
          <pre>{details}</pre>
        </ScrollArea>
      )}
    </>
  );
}

interface WaitDetailsProps {
  readonly approval: ApprovalView;
  /** Timeout of the step, if known. */
  readonly timeoutSec?: number | undefined;
  /** Further rows, shown first. */
  readonly children?: React.ReactNode;
}

/** How long an approval has been open and until when; after that, how long it was open. */
export function WaitDetails({ approval, timeoutSec = 0, children }: WaitDetailsProps) {
  const { askedAt, answeredAt, endedAt } = approval;
  const isOpen = getState(approval) === 'open';
  return (
    <DetailList>
      {children}
      <span>
        <Clock size={14} aria-hidden="true" />
        <span>
          requested <RelativeTime iso={askedAt} />
        </span>
      </span>
      {!isOpen && (
        <span>
          <Hourglass size={14} aria-hidden="true" />
          <span>
            waited <Duration startedAt={askedAt} finishedAt={answeredAt ?? endedAt} />
          </span>
        </span>
      )}
      {isOpen && timeoutSec > 0 && (
        <span title="The attempt fails if no one answers by then">
          <Timer size={14} aria-hidden="true" />
          <span>
            times out <RelativeTime iso={new Date(Date.parse(askedAt) + timeoutSec * 1000).toISOString()} />
          </span>
        </span>
      )}
    </DetailList>
  );
}

interface StepApprovalProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
  readonly definition: Step | undefined;
  /** The user has come to answer. */
  readonly isAsked: boolean;
}

/** The approval of a step in a run, with the answer; below, the approvals of earlier attempts. */
export function StepApproval({ run, step, definition, isAsked }: StepApprovalProps) {
  const { approval } = step;
  const earlier = useRunApprovals(run, step.attempts.length > 1).data ?? [];
  if (approval === undefined) return null;
  return (
    <ScrollArea className={styles.body} aria-label={`Approval request of ${step.name}`}>
      <div className={styles.sheet}>
        <ApprovalQuestion approval={approval} />
        <WaitDetails approval={approval} timeoutSec={definition?.timeoutSec} />
        <ApprovalAnswer key={approval.id} approval={approval} isAsked={isAsked} />
        <Earlier
          approvals={earlier.filter(
            (one) => one.step === step.name && one.section === step.section && one.id !== approval.id,
          )}
        />
      </div>
    </ScrollArea>
  );
}

function Earlier({ approvals }: { readonly approvals: readonly ApprovalView[] }) {
  if (approvals.length === 0) return null;
  return (
    <section className={styles.earlier} aria-label="Previous requests">
      <h3>Previous requests</h3>
      {approvals.map((approval) => (
        <div key={approval.id}>
          <p className={styles.quiet}>Attempt {approval.attempt}</p>
          <AnswerDetails approval={approval} />
        </div>
      ))}
    </section>
  );
}

interface ApprovalNoticeProps {
  readonly run: RunDetailView;
  /** Goes to the step that asks; `of` is its run if that is a sub-run. */
  readonly onAnswer: (step: NodeRef, of?: RunRef) => void;
}

/** Notice on the run page about open approvals of the run or its sub-runs, with a link to each. */
export function ApprovalNotice({ run, onAnswer }: ApprovalNoticeProps) {
  const open = useOpenApprovals().data ?? [];
  const openApprovals = isActive(run) ? open.filter((approval) => isBelow(approval, run)) : [];
  return openApprovals.map((approval) => (
    <SingleApproval key={approval.id} approval={approval} run={run} onAnswer={onAnswer} />
  ));
}

const isSame = (a: RunRef, b: RunRef): boolean => a.name === b.name && a.dagRunId === b.dagRunId;

const isBelow = (approval: ApprovalView, run: RunDetailView): boolean =>
  isSame(approval, run) || (approval.root !== undefined && isSame(approval.root, run));

function SingleApproval({
  approval,
  run,
  onAnswer,
}: ApprovalNoticeProps & { readonly approval: ApprovalView }) {
  const may = useCan('approvals.answer');
  const { name, dagRunId, step, section, question } = approval;
  const isForRun = isSame(approval, run);
  return (
    <Notice
      tone="asking"
      action={
        <Button
          variant={may.allowed ? 'primary' : 'secondary'}
          size="small"
          onPress={() => onAnswer({ section, name: step }, isForRun ? undefined : { name, dagRunId })}
        >
          {may.allowed ? 'Approve…' : 'View'}
        </Button>
      }
    >
      <strong>
        {section === 'handler' ? 'Handler' : 'Step'} <bdi>{step}</bdi>
        {!isForRun && ` of ${name}`} is waiting for approval:
      </strong>{' '}
      <bdi>{getFirstLine(question)}</bdi>
    </Notice>
  );
}
