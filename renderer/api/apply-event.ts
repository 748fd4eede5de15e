import type { ApprovalView, StepRunView, AttemptView, RunDetailView } from '../../core/contract/run-views.ts';
import { formatApprovalRequest } from '../../core/model/approval.ts';
import type { RunEvent, NodeId } from '../../core/model/run-event.ts';
import { type RunRef, attemptFiles, closeItems, countItem } from '../../core/model/run.ts';
import type { EventView } from '../../core/contract/logs.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** A run, as far as its approvals describe it. */
interface RunWithApprovals extends RunRef {
  readonly root?: RunRef;
}

/** Returns the step with a new approval request. */
function withApprovalRequest(
  step: StepRunView,
  { id, node, attempt, question, details, inputs, required }: Of<'step.approval_requested'>,
  { name, dagRunId, root }: RunWithApprovals,
  at: string,
): StepRunView {
  const approval: ApprovalView = {
    id,
    name,
    dagRunId,
    root,
    step: node.name,
    section: node.section,
    attempt,
    question,
    details,
    inputs: [...inputs],
    required: [...required],
    askedAt: at,
  };
  return { ...step, approval, waiting: formatApprovalRequest({ name, dagRunId }, node, at) };
}

/** Returns the step with an answered approval. */
function withApprovalAnswer(
  step: StepRunView,
  { id, decision, by, comment, values }: Of<'step.approval_resolved'>,
  at: string,
): StepRunView {
  if (step.approval?.id !== id) return step;
  const answer = { decision, answeredBy: by, answeredAt: at, comment, values: { ...values } };
  return { ...step, approval: { ...step.approval, ...answer }, waiting: undefined };
}

/** Returns an approval whose attempt has ended; an answered one is unchanged. */
const ended = (approval: ApprovalView | undefined, at: string): ApprovalView | undefined =>
  approval === undefined || approval.decision !== undefined || approval.endedAt !== undefined
    ? approval
    : { ...approval, endedAt: at };

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;
type AttemptEvent =
  | EventOf<'step.finished'>
  | EventOf<'step.retry_scheduled'>
  | EventOf<'step.repeat_scheduled'>;

/**
 * Applies an event to a run. Events that the run already includes, or that belong to another run, return the
 * same object.
 */
export function applyEvent(run: RunDetailView, view: EventView): RunDetailView {
  if (view.id <= run.lastEventId || view.dagRunId !== run.dagRunId || view.name !== run.name) return run;
  return { ...applyChange(run, view.event, view.at), lastEventId: view.id };
}

function applyChange(run: RunDetailView, event: RunEvent, at: string): RunDetailView {
  switch (event.type) {
    case 'run.created':
    case 'run.message':
    case 'run.note_changed':
    case 'run.terminating':
    case 'run.notification':
      return run;
    case 'run.recovered': {
      const { by, from, reason } = event;
      // The event does not name the new host, so the page refetches the run.
      return { ...run, host: undefined, recoveries: [...run.recoveries, { at, by, from, reason }] };
    }
    case 'run.retried':
      return retried(run, event.steps);
    case 'run.started':
      return {
        ...run,
        status: 'running',
        startedAt: run.startedAt ?? at,
        error: undefined,
        wait: undefined,
        logDir: event.logDir,
      };
    case 'run.stop_requested':
      return { ...run, stopRequestedBy: event.by };
    case 'run.finished':
      return {
        ...run,
        status: event.status,
        error: event.error,
        cause: event.cause,
        wait: undefined,
        finishedAt: at,
        outputs: event.outputs,
        peakUsage: event.peakUsage,
      };
    default:
      return patchNode(run, event.node, (step) =>
        applyToStep(step, event, { at, run, logDir: run.logDir ?? '' }),
      );
  }
}

/** Resets the retried steps, which keep their earlier attempts; so does every handler. */
function retried(run: RunDetailView, steps: readonly string[]): RunDetailView {
  const again = new Set(steps);
  return {
    ...run,
    status: 'not_started',
    finishedAt: undefined,
    error: undefined,
    cause: undefined,
    stopRequestedBy: undefined,
    outputs: {},
    peakUsage: undefined,
    steps: run.steps.map((step) => (again.has(step.name) ? anew(step) : step)),
    handlers: run.handlers.map(anew),
  };
}

const anew = ({ name, section, attempts, subRuns, approval }: StepRunView): StepRunView => ({
  name,
  section,
  status: 'not_started',
  attempts,
  subRuns,
  approval,
});

function patchNode(
  run: RunDetailView,
  node: NodeId,
  patch: (step: StepRunView) => StepRunView,
): RunDetailView {
  const list = node.section === 'handler' ? 'handlers' : 'steps';
  return { ...run, [list]: run[list].map((step) => (step.name === node.name ? patch(step) : step)) };
}

interface Setting {
  readonly at: string;
  readonly run: RunWithApprovals;
  readonly logDir: string;
}

type StepEvent = Extract<RunEvent, { type: `step.${string}` }>;

function applyToStep(step: StepRunView, event: StepEvent, { at, run, logDir }: Setting): StepRunView {
  switch (event.type) {
    case 'step.started':
      return started(step, event, { at, logDir });
    case 'step.spawned':
      return patchAttempt(step, event.attempt, { pid: event.pid });
    case 'step.waiting':
      return { ...step, waiting: event.reason };
    case 'step.dispatched': {
      const worker = { id: event.worker, host: event.host, since: at };
      const known = step.attempts.find(({ attempt }) => attempt === event.attempt)?.worker;
      return { ...patchAttempt(step, event.attempt, { worker: known ?? worker }), waiting: undefined };
    }
    case 'step.approval_requested':
      return withApprovalRequest(step, event, run, at);
    case 'step.approval_resolved':
      return withApprovalAnswer(step, event, at);
    case 'step.sub_run':
      return { ...step, subRuns: withSubRun(step.subRuns, event) };
    case 'step.item_started':
    case 'step.item_finished':
      return { ...step, items: countItem(step.items, event) };
    case 'step.repeat_scheduled':
    case 'step.retry_scheduled':
      return {
        ...patchAttempt(step, event.attempt, getEnd(event, at)),
        error: event.error,
        waiting: undefined,
        approval: ended(step.approval, at),
        items: step.items && closeItems(step.items),
      };
    case 'step.finished':
      return {
        ...patchAttempt(step, event.attempt, getEnd(event, at)),
        waiting: undefined,
        approval: ended(step.approval, at),
        items: step.items && closeItems(step.items),
        status: event.status,
        finishedAt: at,
        exitCode: event.exitCode,
        signal: event.signal,
        error: event.error,
        output: event.output,
      };
    case 'step.status_set':
      return withStatus(step, event.status);
    case 'step.ended':
      return settled(step, event, at);
  }
}

const started = (
  step: StepRunView,
  { attempt, dir }: EventOf<'step.started'>,
  { at, logDir }: Pick<Setting, 'at' | 'logDir'>,
): StepRunView => ({
  ...step,
  status: 'running',
  startedAt: step.startedAt ?? at,
  finishedAt: undefined,
  error: undefined,
  items: undefined,
  attempts: [
    ...step.attempts.filter((each) => each.attempt !== attempt),
    {
      attempt,
      startedAt: at,
      stdoutFile: `${logDir}/${dir}/${attemptFiles.stdout}`,
      stderrFile: `${logDir}/${dir}/${attemptFiles.stderr}`,
    },
  ],
});

const settled = (step: StepRunView, event: EventOf<'step.ended'>, at: string): StepRunView => ({
  ...step,
  status: event.status,
  error: event.reason,
  exitCode: event.exitCode ?? step.exitCode,
  output: event.output ?? step.output,
  finishedAt: at,
  waiting: undefined,
  approval: ended(step.approval, at),
  items: step.items && closeItems(step.items),
});

/** The previous reason no longer applies. */
const withStatus = (step: StepRunView, status: EventOf<'step.status_set'>['status']): StepRunView =>
  status === 'not_started' ? anew(step) : { ...step, status, error: undefined };

/** Sets the sub-run of a step; a retried step may resume a sub-run that it had started before. */
const withSubRun = (
  subRuns: StepRunView['subRuns'],
  { name, dagRunId }: EventOf<'step.sub_run'>,
): StepRunView['subRuns'] =>
  subRuns.some((run) => run.name === name && run.dagRunId === dagRunId)
    ? subRuns
    : [...subRuns, { name, dagRunId }];

const getEnd = ({ exitCode, signal, error }: AttemptEvent, at: string): Partial<AttemptView> => ({
  finishedAt: at,
  exitCode,
  signal,
  error,
});

const patchAttempt = (step: StepRunView, number: number, change: Partial<AttemptView>): StepRunView => ({
  ...step,
  attempts: step.attempts.map((attempt) =>
    attempt.attempt === number ? { ...attempt, ...change } : attempt,
  ),
});
