import { exitCodes } from '../../../base/error-codes.ts';
import { AppError } from '../../../base/errors.ts';
import type { ApprovalView } from '../../../contract/runs/run-views.ts';
import type { Decision } from '../../../model/run/approval.ts';
import { formatActor } from '../../../model/run/actor.ts';
import { findRun } from '../../arguments/find-run.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../../command-context.ts';
import type { EngineClient } from '../../host/host-api.ts';
import { oneLine } from '../../report/plain-text.ts';

export interface AnswerInput extends ResultFormat {
  readonly dag: string;
  /** Default: the only one that waits. The same applies to `runId`. */
  readonly step?: string | undefined;
  readonly runId?: string | undefined;
  readonly decision: Decision;
  readonly comment?: string;
  /** Strings by input name. */
  readonly input?: Readonly<Record<string, string>>;
}

/** Answers an approval of a step. */
export function runAnswer(context: CommandContext, input: AnswerInput): Promise<number> {
  return withHost(context, async (host) => {
    const { id } = await findQuestion(context, host, input);
    const { decision, comment, input: values } = input;
    const answer = { id, decision, ...(comment !== undefined && { comment }), ...(values && { values }) };
    const answered = await host.api.call('approvals.answer', answer, context.caller);
    if (input.format === 'json') await printJson(context, answered);
    else
      await printLines(context, [
        `Step ${oneLine(answered.step)} of run ${answered.dagRunId} of ${answered.name} ${decision}.`,
      ]);
    return exitCodes.success;
  });
}

/**
 * Returns the only matching question. Throws `bad_request` if several match, `conflict` or `not_found` if none does.
 */
async function findQuestion(
  context: CommandContext,
  host: EngineClient,
  input: AnswerInput,
): Promise<ApprovalView> {
  const { dag, step, runId } = input;
  const run = runId === undefined ? undefined : await findRun(context, host, { dag, dagRunId: runId });
  const names = run === undefined ? await host.workflows.runNames(dag) : [run.name];
  for (const name of names) {
    const filter = { dag: name, ...(run && { dagRunId: run.dagRunId }) };
    const open = { ...filter, decision: 'open', limit: 1000 } as const;
    const { approvals } = await host.api.call('approvals.list', open, context.caller);
    const fitting = approvals.filter((each) => step === undefined || each.step === step);
    const [found] = fitting;
    if (found === undefined) continue;
    if (fitting.length > 1) throw ambiguousStepError(fitting);
    return found;
  }
  return findLatestQuestion(context, host, input);
}

function ambiguousStepError(fitting: readonly ApprovalView[]): AppError {
  const shown = fitting.slice(0, 5).map(({ step, dagRunId }) => `${oneLine(step)} -r ${dagRunId}`);
  const more = fitting.length > shown.length ? ', …' : '';
  return new AppError(
    'bad_request',
    `${fitting.length} steps are waiting for approval. Specify a step and a run: ${shown.join(', ')}${more}`,
  );
}

/** Returns the newest matching question, in case it was asked just now. Throws if it is not open. */
async function findLatestQuestion(
  context: CommandContext,
  host: EngineClient,
  { dag, step, runId }: AnswerInput,
): Promise<ApprovalView> {
  const { name, dagRunId } = await findRun(context, host, { dag, dagRunId: runId });
  const filter = { dag: name, ...(runId !== undefined && { dagRunId }), limit: 1000 };
  const { approvals } = await host.api.call('approvals.list', filter, context.caller);
  const last = approvals.find((each) => step === undefined || each.step === step);
  if (last === undefined) {
    const which = step === undefined ? 'No step' : `Step "${oneLine(step)}"`;
    const verb = step === undefined ? 'waits' : 'is not waiting';
    throw new AppError('not_found', `${which} of ${name} ${verb} for approval.`);
  }
  if (last.decision === undefined && last.endedAt === undefined) return last;
  const how =
    last.decision === undefined
      ? `ended at ${last.endedAt} without an answer`
      : `was ${last.decision} ${oneLine(formatActor(last.answeredBy ?? ''))} at ${last.answeredAt ?? ''}`;
  throw new AppError(
    'conflict',
    `Step "${oneLine(last.step)}" of run ${last.dagRunId} of ${name} is no longer waiting for approval: the request ${how}.`,
  );
}
