import type { NodeId } from '../../model/run/run-event.ts';
import type { RunDetail } from '../../model/run/run.ts';
import type { RunStatus } from '../../model/run/status.ts';
import type { RunInput } from '../run-input.ts';
import type { Termination } from '../termination.ts';
import type { NodeResult } from '../steps/node-task.ts';

/** How a run is about to end. */
export interface FinishedRun extends Partial<Termination> {
  readonly status: RunStatus;
  /** How each step ended. */
  readonly results: ReadonlyMap<string, NodeResult>;
}

/** The kinds of mails about a run as a whole. */
export type RunMailKind = 'errorMail' | 'infoMail';

/**
 * Chooses the mail that `mailOn` requests for this ending. A run that is partially succeeded because of `continueOn`
 * counts as a failure, because of a sub-run alone as a success. A run that was stopped, or whose conditions were not
 * met, counts as neither. A sub-run does not inherit the base configuration's `mailOn`, nor its handlers.
 */
export function chooseRunMail(
  { workflow, record }: Pick<RunInput, 'workflow' | 'record'>,
  end: FinishedRun,
): RunMailKind | undefined {
  const { mailOn, inheritedMailOn } = workflow;
  if (mailOn === undefined || (record.parent !== undefined && inheritedMailOn === true)) return undefined;
  const kind = judge(end);
  if (kind === 'errorMail') return mailOn.failure ? kind : undefined;
  return mailOn.success ? kind : undefined;
}

function judge({ status, cause, results }: FinishedRun): RunMailKind | undefined {
  switch (status) {
    case 'succeeded':
      return 'infoMail';
    case 'partially_succeeded':
      return [...results.values()].some((result) => result.status === 'failed') ? 'errorMail' : 'infoMail';
    case 'failed':
      return 'errorMail';
    case 'aborted':
      return cause === 'init' ? 'errorMail' : undefined;
    case 'not_started':
    case 'queued':
    case 'running':
      return undefined;
  }
}

/**
 * Whether the step's end is older than the retry, so that it was already reported. A takeover keeps the reports that
 * are still due.
 */
const isKept = (previousRun: RunInput['previousRun'], step: string): boolean =>
  previousRun?.keptResults.has(step) === true && previousRun.inProgress?.ended.has(step) !== true;

/** Lists the steps and handlers with `mailOnError` that have failed since the run was started or retried. */
export function listFailedSteps(
  { workflow, previousRun }: Pick<RunInput, 'workflow' | 'previousRun'>,
  steps: RunDetail['steps'],
): NodeId[] {
  const handlers = Object.values(workflow.handlers);
  const reportedNames = new Set(
    [
      ...workflow.steps.map((step) => ['step', step] as const),
      ...handlers.map((step) => ['handler', step] as const),
    ]
      .filter(([, step]) => step.mailOnError === true)
      .map(([section, { name }]) => `${section}:${name}`),
  );
  return steps
    .filter(({ node, status }) => status === 'failed' && reportedNames.has(`${node.section}:${node.name}`))
    .filter(({ node: { section, name } }) => section === 'handler' || !isKept(previousRun, name))
    .map(({ node }) => node);
}
