import { exitCodes } from '../../base/error-codes.ts';
import type { ApprovalView } from '../../contract/run-views.ts';
import { formatActor } from '../../model/run-event.ts';
import { AppError } from '../../base/errors.ts';
import type { Decision } from '../../model/approval.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../command-context.ts';
import { type EngineClient, readPages } from '../host/engine-client.ts';
import { oneLine, formatTable, formatDateTime } from '../format.ts';
import { findRun } from '../arguments.ts';

export interface ApprovalsInput extends ResultFormat {
  readonly dag?: string | undefined;
  /** Include answered and closed questions. */
  readonly all: boolean;
  readonly limit: number;
}

/** Lists questions of steps, newest first. */
export function runApprovals(context: CommandContext, input: ApprovalsInput): Promise<number> {
  return withHost(context, async (host) => {
    const approvals = await listApprovals(context, host, input);
    if (input.format === 'json') await printJson(context, { approvals });
    else if (approvals.length === 0)
      await context.terminal.stderr.write(input.all ? 'No approvals.\n' : 'No pending approvals.\n');
    else await printLines(context, tabulate(approvals, input.all));
    return exitCodes.success;
  });
}

async function listApprovals(
  { caller }: CommandContext,
  { api, workflows }: EngineClient,
  { dag, all, limit }: ApprovalsInput,
): Promise<ApprovalView[]> {
  const names = dag === undefined ? [undefined] : await workflows.runNames(dag);
  const found: ApprovalView[] = [];
  for (const name of names) {
    const filter = { ...(name !== undefined && { dag: name }), ...(!all && { decision: 'open' as const }) };
    const read = async (page: { limit: number; cursor?: string }) => {
      const { approvals, nextCursor } = await api.call('approvals.list', { ...filter, ...page }, caller);
      return { entries: approvals, nextCursor };
    };
    found.push(...(await readPages(read, limit)));
  }
  return found.slice(0, limit);
}

function tabulate(approvals: readonly ApprovalView[], all: boolean): string[] {
  const headings = ['NAME', 'RUN ID', 'STEP', 'ASKED', ...(all ? ['ANSWER'] : []), 'QUESTION'];
  const rows = approvals.map((each) => [
    each.name,
    each.dagRunId,
    oneLine(each.step),
    formatDateTime(new Date(each.askedAt)),
    ...(all ? [formatState(each)] : []),
    oneLine(each.question),
  ]);
  return formatTable(headings, rows);
}

function formatState({ decision, answeredBy = '', endedAt }: ApprovalView): string {
  if (decision !== undefined) return oneLine(`${decision} ${formatActor(answeredBy)}`);
  return endedAt === undefined ? 'waits' : 'none';
}

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
