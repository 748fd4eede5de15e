import { exitCodes } from '../../../base/error-codes.ts';
import type { ApprovalView } from '../../../contract/runs/run-views.ts';
import { formatActor } from '../../../model/run/actor.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../../command-context.ts';
import type { EngineClient } from '../../host/host-api.ts';
import { readPages } from '../../read-pages.ts';
import { oneLine } from '../../report/plain-text.ts';
import { formatTable } from '../../report/table.ts';
import { formatDateTime } from '../../report/time-text.ts';

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
    ...(all ? [describeState(each)] : []),
    oneLine(each.question),
  ]);
  return formatTable(headings, rows);
}

function describeState({ decision, answeredBy = '', endedAt }: ApprovalView): string {
  if (decision !== undefined) return oneLine(`${decision} ${formatActor(answeredBy)}`);
  return endedAt === undefined ? 'waits' : 'none';
}
