import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import type { OperationOutput, OperationInput } from '../../contract/operations.ts';
import {
  type RunDetail,
  type RunRef,
  type EditableStatus,
  type ItemRecord,
  type RunRecord,
  activeRunStatuses,
} from '../../model/run.ts';
import type { ItemView } from '../../contract/run-steps.ts';
import type { Workflow } from '../../model/workflow.ts';
import { handlerNames } from '../../model/workflow-rules.ts';
import type { StepState } from '../../store/types/runs.ts';
import type { Question } from '../../model/approval.ts';
import type { Caller } from '../engine-api.ts';
import type { EngineContext } from '../engine-context.ts';
import { toAttemptTimeline, toRunSummary, toApprovalView } from '../views.ts';
import { type HandlersFor, parseCursor, parseTextCursor, toTextCursor } from './handlers.ts';
import { requireRun, viewRun } from './run-handlers.ts';
import { findAttempt, readRunLog, readStepLog } from './log-handlers.ts';
import { getName } from './dag-list.ts';

/** Operations on single steps of runs. */
export const runStepHandlers: HandlersFor<'runs.setStepStatus'> = {
  'runs.setStepStatus': (input, context, caller) => setStepStatus(context, input, caller),
};

/**
 * Sets the status of a step of a finished run.
 * @throws `not_found` or `still_running`
 */
async function setStepStatus(
  context: EngineContext,
  { step, status, ...ref }: RunRef & { readonly step: string; readonly status: EditableStatus },
  caller: Caller,
): Promise<OperationOutput<'runs.setStepStatus'>> {
  const { store, clock, hub } = context;
  const detail = await requireRun(context, ref);
  await requireStep(context, detail, step);
  const { key, name, dagRunId } = detail.run;
  const previous = await store.setStepStatus({ runKey: key, step, status, by: caller.name }, clock.now());
  hub.pump();
  return { name, dagRunId, step, status, previous };
}

/** Returns a step of the workflow that was run, or a step with a record if the workflow can no longer be loaded. */
async function requireStep(
  { storedWorkflows }: EngineContext,
  { run, spec, steps }: RunDetail,
  step: string,
): Promise<void> {
  const recorded = steps.filter(({ node }) => node.section === 'step').map(({ node }) => node.name);
  const names = [...(await storedWorkflows.find(run, spec)).steps.map(({ name }) => name), ...recorded];
  if (names.includes(step)) return;
  const nearest = findNearest(step, names);
  const guess = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  throw new AppError('not_found', `Run ${run.dagRunId} of ${run.name} has no step "${step}".${guess}`);
}

const defaultPageSize = 100;

/** Operations on the items of steps with `parallel`. */
export const itemHandlers: HandlersFor<'runs.items'> = {
  'runs.items': async (input, context) => {
    const { run, record, logDir } = await findAttempt(context, input);
    const { limit = defaultPageSize, cursor, status } = input;
    const items = await context.store.listItems(run, {
      node: record.node,
      attempt: record.attempt,
      statuses: status,
      after: parseCursor(cursor),
      limit,
    });
    const last = items.at(-1);
    const nextCursor = last === undefined || items.length < limit ? undefined : String(last.item);
    return { attempt: record.attempt, items: items.map((item) => toItemView(item, logDir)), nextCursor };
  },
};

function toItemView(record: ItemRecord, logDir: string): ItemView {
  const { item, value, status, subRun } = record;
  return { item, value, status, ...toAttemptTimeline(record, logDir), subRun };
}

const subRunPageSize = 1000;

type SubRunOperation =
  | 'runs.subRuns'
  | 'runs.subRun'
  | 'logs.subRun'
  | 'logs.subRunLines'
  | 'runs.setSubRunStepStatus';

/** Operations on runs below another one. */
export const subRunHandlers: HandlersFor<SubRunOperation> = {
  'runs.subRuns': async (input, context) => {
    const { deep = false, limit = subRunPageSize, cursor } = input;
    const { run } = await requireRun(context, input);
    const filter = { isDeep: deep, after: parseCursor(cursor), limit };
    const runs = await context.store.listSubRuns(run.key, filter);
    const last = runs.at(-1);
    return {
      subRuns: await Promise.all(runs.map((subRun) => toRunSummary(subRun, context.queues))),
      nextCursor: last === undefined || runs.length < limit ? undefined : String(last.key),
    };
  },
  'runs.subRun': async (input, context) =>
    viewRun(context, await requireRun(context, await findSubRun(input, context))),
  'logs.subRun': async (input, context) =>
    readRunLog(context, { ...input, ...(await findSubRun(input, context)) }),
  'logs.subRunLines': async (input, context) =>
    readStepLog(context, { ...input, ...(await findSubRun(input, context)) }),
  'runs.setSubRunStepStatus': async (input, context, caller) =>
    setStepStatus(context, { ...input, ...(await findSubRun(input, context)) }, caller),
};

async function findSubRun(
  input: RunRef & { readonly subRunId: string },
  context: EngineContext,
): Promise<RunRef> {
  const { run } = await requireRun(context, input);
  const found = await context.store.findSubRun(run.key, input.subRunId);
  if (found !== undefined) return { name: found.name, dagRunId: found.dagRunId };
  throw new AppError('not_found', `Run ${run.dagRunId} of ${run.name} has no sub-run "${input.subRunId}".`);
}

const dagRunPageSize = 30;
/** Number of runs that are stopped per turn of the event loop. */
const stopsPerTurn = 20;

/** Operations on the runs of one workflow file. */
export const dagRunHandlers: HandlersFor<'dags.runs' | 'dags.run' | 'dags.stopAll'> = {
  'dags.runs': async ({ fileName, limit = dagRunPageSize, cursor }, { library, store, queues }) => {
    const entry = await library.get(fileName);
    const before = parseCursor(cursor);
    const runs = await store.listRuns({ name: getName(entry), topLevelOnly: true, before, limit });
    const states = await store.listStepStates(runs.map(({ key }) => key));
    const last = runs.at(-1);
    return {
      dagRuns: await Promise.all(runs.map((run) => toRunSummary(run, queues))),
      gridData: toGrid(runs, states, entry.spec.workflows[0]),
      nextCursor: last === undefined || runs.length < limit ? undefined : String(last.key),
    };
  },
  'dags.run': async ({ fileName, dagRunId }, context) =>
    viewRun(
      context,
      await requireRun(context, { name: getName(await context.library.get(fileName)), dagRunId }),
    ),
  'dags.stopAll': async ({ fileName }, context, caller) => {
    const name = getName(await context.library.get(fileName));
    const errors: string[] = [];
    let stopped = 0;
    // Newest first, so that runs created in the meantime are not included.
    for (let before: number | undefined; ;) {
      const filter = { name, statuses: activeRunStatuses, topLevelOnly: true, before, limit: stopsPerTurn };
      const runs = await context.store.listRuns(filter);
      for (const run of runs) {
        const outcome = await stop(context, run, caller.name);
        if (outcome === true) stopped += 1;
        else if (outcome !== false) errors.push(outcome);
      }
      context.hub.pump();
      if (runs.length < stopsPerTurn) return { stopped, errors };
      before = runs.at(-1)!.key;
      await new Promise<void>((resolve) => context.clock.soon(resolve));
    }
  },
};

/** Stops a run. Returns whether it was stopped, false if it has already ended, or why it cannot be stopped. */
async function stop({ store, clock }: EngineContext, run: RunRecord, by: string): Promise<boolean | string> {
  try {
    await store.requestStop(run, by, clock.now());
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isOver = error.code === 'not_running' || error.code === 'not_found';
    return isOver ? false : `${run.dagRunId}: ${error.message}`;
  }
}

type Grid = OperationOutput<'dags.runs'>['gridData'];

function toGrid(
  runs: readonly RunRecord[],
  states: readonly StepState[],
  workflow: Workflow | undefined,
): Grid {
  const rows = new Map<string, Grid[number]>();
  const columns = new Map(runs.map(({ key }, index) => [key, index]));
  const getRow = (section: 'step' | 'handler', name: string): Grid[number] => {
    const key = `${section}:${name}`;
    const row = rows.get(key) ?? { name, section, history: runs.map(() => null) };
    rows.set(key, row);
    return row;
  };
  for (const { name } of workflow?.steps ?? []) getRow('step', name);
  for (const { runKey, node, status } of states)
    getRow(node.section, node.name).history[columns.get(runKey)!] = status;
  const all = [...rows.values()];
  const handlers = all.filter(({ section }) => section === 'handler').toSorted(compareHandlers(workflow));
  return [...all.filter(({ section }) => section === 'step'), ...handlers];
}

/** Sorts handlers in order of execution. */
const compareHandlers = (workflow: Workflow | undefined) => {
  const names = handlerNames.map((key) => workflow?.handlers[key]?.name);
  const rank = (name: string): number => (names.includes(name) ? names.indexOf(name) : names.length);
  return (a: { name: string }, b: { name: string }): number => rank(a.name) - rank(b.name);
};

const defaultApprovalPageSize = 50;

/** Operations on approvals. */
export const approvalHandlers: HandlersFor<'approvals.list' | 'approvals.answer'> = {
  'approvals.list': async (
    { decision, dag, dagRunId, limit = defaultApprovalPageSize, cursor },
    { approvals },
  ) => {
    const before = parseTextCursor(cursor, 1)?.[0];
    const page = await approvals.list({ state: decision, name: dag, dagRunId, before, limit });
    return {
      approvals: page.approvals.map(toApprovalView),
      ...(page.next !== undefined && { nextCursor: toTextCursor([page.next]) }),
    };
  },
  'approvals.answer': async (input, { approvals, clock, hub }, caller) => {
    const { id, decision, comment } = input;
    const approval = await approvals.find(id);
    if (approval === undefined) throw new AppError('not_found', `Approval request "${id}" not found.`);
    const values = readValues(input, approval);
    const answer = { decision, by: caller.name, ...(comment?.trim() && { comment: comment.trim() }), values };
    const answered = await approvals.answer(id, answer, clock.now());
    hub.pump();
    return toApprovalView(answered);
  },
};

/**
 * Returns the inputs of an answer.
 * @throws `bad_request` naming the field
 */
function readValues(
  { decision, values = {} }: OperationInput<'approvals.answer'>,
  { inputs, required }: Question,
): Record<string, string> {
  for (const name of Object.keys(values))
    if (!inputs.includes(name)) throw invalidValueError(name, formatUnknownInput(name, inputs));
  const nonEmpty = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
  const missing = required.find((name) => nonEmpty[name] === undefined);
  if (decision === 'approved' && missing !== undefined)
    throw invalidValueError(missing, 'required for approval');
  return nonEmpty;
}

function formatUnknownInput(name: string, inputs: readonly string[]): string {
  if (inputs.length === 0) return 'this request has no inputs';
  const nearest = findNearest(name, inputs);
  return nearest === undefined
    ? `unknown input. Valid inputs: ${inputs.join(', ')}.`
    : `unknown input. Did you mean "${nearest}"?`;
}

const invalidValueError = (name: string, problem: string): AppError =>
  new AppError('bad_request', `values.${name}: ${problem}`, { details: { field: `values.${name}` } });
