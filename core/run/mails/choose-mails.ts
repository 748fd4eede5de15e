import type { NodeId } from '../../model/run/run-event.ts';
import type { RunDetail } from '../../model/run/run.ts';
import type { RunStatus } from '../../model/run/status.ts';
import type { DrivenRun } from '../driven-run.ts';
import type { Ending } from '../ending.ts';
import type { NodeResult } from '../steps/node-task.ts';

/** How a run is about to end. */
export interface RunEnd extends Partial<Ending> {
  readonly status: RunStatus;
  /** How each step ended. */
  readonly results: ReadonlyMap<string, NodeResult>;
}

/** Which mail tells of the run as a whole. */
export type RunMailKind = 'errorMail' | 'infoMail';

/**
 * The mail that `mailOn` asks for at this end. A run that is partially succeeded by `continueOn` counts as a failure
 *, one that is so by a sub-run alone as a success; one that somebody stopped, or whose conditions did not
 * hold, is neither. A sub-run does without the base configuration's `mailOn`, as without its handlers.
 */
export function chooseRunMail(
  { workflow, record }: Pick<DrivenRun, 'workflow' | 'record'>,
  end: RunEnd,
): RunMailKind | undefined {
  const { mailOn, inheritedMailOn } = workflow;
  if (mailOn === undefined || (record.parent !== undefined && inheritedMailOn === true)) return undefined;
  const kind = judge(end);
  if (kind === 'errorMail') return mailOn.failure ? kind : undefined;
  return mailOn.success ? kind : undefined;
}

function judge({ status, cause, results }: RunEnd): RunMailKind | undefined {
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

/** A retry keeps the step's end, of which a mail has told already; a take-over keeps what there is to tell of. */
const isKept = (earlier: DrivenRun['earlier'], step: string): boolean =>
  earlier?.kept.has(step) === true && earlier.underWay?.ended.has(step) !== true;

/** Steps and handlers with `mailOnError` that have failed since the run was started, or made to go on after its end. */
export function listFailedSteps(
  { workflow, earlier }: Pick<DrivenRun, 'workflow' | 'earlier'>,
  steps: RunDetail['steps'],
): NodeId[] {
  const handlers = Object.values(workflow.handlers);
  const wanted = new Set(
    [
      ...workflow.steps.map((step) => ['step', step] as const),
      ...handlers.map((step) => ['handler', step] as const),
    ]
      .filter(([, step]) => step.mailOnError === true)
      .map(([section, { name }]) => `${section}:${name}`),
  );
  return steps
    .filter(({ node, status }) => status === 'failed' && wanted.has(`${node.section}:${node.name}`))
    .filter(({ node: { section, name } }) => section === 'handler' || !isKept(earlier, name))
    .map(({ node }) => node);
}
