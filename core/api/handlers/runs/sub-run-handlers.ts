import { AppError } from '../../../base/errors.ts';
import type { RunRef } from '../../../model/run/run.ts';
import type { EngineParts } from '../../engine-parts.ts';
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
  'runs.subRuns': (input, parts) => {
    const { deep = false, limit = defaultPageSize, cursor } = input;
    const { run } = requireRun(parts, input);
    const filter = { isDeep: deep, after: parseCursor(cursor), limit };
    const runs = parts.store.listSubRuns(run.key, filter);
    const last = runs.at(-1);
    return {
      subRuns: runs.map((subRun) => toRunSummary(subRun, parts.queues)),
      nextCursor: last === undefined || runs.length < limit ? undefined : String(last.key),
    };
  },
  'runs.subRun': (input, parts) => viewRun(parts, requireRun(parts, findSubRun(input, parts))),
  'logs.subRun': (input, parts) => readRunLog(parts, { ...input, ...findSubRun(input, parts) }),
  'logs.subRunLines': (input, parts) => readStepLog(parts, { ...input, ...findSubRun(input, parts) }),
  'runs.setSubRunStepStatus': (input, parts, caller) =>
    setStepStatus(parts, { ...input, ...findSubRun(input, parts) }, caller),
};

function findSubRun(input: RunRef & { readonly subRunId: string }, parts: EngineParts): RunRef {
  const { run } = requireRun(parts, input);
  const found = parts.store.findSubRun(run.key, input.subRunId);
  if (found !== undefined) return { name: found.name, dagRunId: found.dagRunId };
  throw new AppError('not_found', `Run ${run.dagRunId} of ${run.name} has no sub-run "${input.subRunId}".`);
}
