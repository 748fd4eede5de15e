import { AppError } from '../../../base/errors.ts';
import type { RunRef } from '../../../model/run/run.ts';
import type { EngineContext } from '../../engine-context.ts';
import { toRunSummary } from '../../views.ts';
import { parseCursor } from '../cursor.ts';
import type { HandlersFor } from '../handlers.ts';
import { readRunLog, readStepLog } from './log-handlers.ts';
import { requireRun, viewRun } from './run-handlers.ts';
import { setStepStatus } from './run-step-handlers.ts';

const defaultPageSize = 1000;

type SubRunOperation =
  | 'runs.subRuns'
  | 'runs.subRun'
  | 'logs.subRun'
  | 'logs.subRunLines'
  | 'runs.setSubRunStepStatus';

/** Operations on runs below another one. */
export const subRunHandlers: HandlersFor<SubRunOperation> = {
  'runs.subRuns': (input, context) => {
    const { deep = false, limit = defaultPageSize, cursor } = input;
    const { run } = requireRun(context, input);
    const filter = { isDeep: deep, after: parseCursor(cursor), limit };
    const runs = context.store.listSubRuns(run.key, filter);
    const last = runs.at(-1);
    return {
      subRuns: runs.map((subRun) => toRunSummary(subRun, context.queues)),
      nextCursor: last === undefined || runs.length < limit ? undefined : String(last.key),
    };
  },
  'runs.subRun': (input, context) => viewRun(context, requireRun(context, findSubRun(input, context))),
  'logs.subRun': (input, context) => readRunLog(context, { ...input, ...findSubRun(input, context) }),
  'logs.subRunLines': (input, context) => readStepLog(context, { ...input, ...findSubRun(input, context) }),
  'runs.setSubRunStepStatus': (input, context, caller) =>
    setStepStatus(context, { ...input, ...findSubRun(input, context) }, caller),
};

function findSubRun(input: RunRef & { readonly subRunId: string }, context: EngineContext): RunRef {
  const { run } = requireRun(context, input);
  const found = context.store.findSubRun(run.key, input.subRunId);
  if (found !== undefined) return { name: found.name, dagRunId: found.dagRunId };
  throw new AppError('not_found', `Run ${run.dagRunId} of ${run.name} has no sub-run "${input.subRunId}".`);
}
