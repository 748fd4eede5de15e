import path from 'node:path';
import { attemptFiles } from '../../model/run/attempt-files.ts';
import type { ItemRecord, RunDetail, StepRecord } from '../../model/run/run.ts';
import type { Step } from '../../model/workflow/step.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import { describeSubRun } from '../../executors/dag.ts';
import { itemKey, type CompletedItem, type CompletedItems } from '../steps/completed-item.ts';
import type { RunStore } from '../ports.ts';
import { captureOutput } from '../values/outputs.ts';

/** An ended run whose steps with `parallel` run again. */
export interface PreviousItemsInput {
  readonly store: Pick<RunStore, 'listItems' | 'getDetail'>;
  readonly detail: RunDetail;
  /** Absolute path of the run's directory. */
  readonly runDir: string;
  readonly workflow: Workflow;
  /** Names of the steps that run again. */
  readonly rerunSteps: readonly string[];
  /** Returns the number of a step's last attempt that does not count; by default, all attempts count. */
  after?(step: string): number;
}

/** The maximum number of items of a step. */
const maxItems = 1000;

/** Reads the items that succeeded and need not run again, by step name. */
export function readPreviousItems({
  store,
  detail,
  runDir,
  workflow,
  rerunSteps,
  after = () => 0,
}: PreviousItemsInput): Map<string, CompletedItems> {
  const records = new Map(
    detail.steps.map((record) => [`${record.node.section}:${record.node.name}`, record]),
  );
  const completedItems = new Map<string, CompletedItems>();
  for (const step of workflow.steps) {
    const record = records.get(`step:${step.name}`);
    if (step.parallel === undefined || record === undefined || !rerunSteps.includes(step.name)) continue;
    const attempts = record.attempts.filter(({ attempt }) => attempt > after(step.name));
    const done = listSucceeded(store, detail, { ...record, attempts }).flatMap(
      (item): [string, CompletedItem][] => {
        const captureResult = readOutput({ store, runDir, workflow }, step, item);
        if (captureResult === undefined) return [];
        const end: CompletedItem = { status: 'succeeded', end: {}, ...captureResult };
        return [[itemKey({ number: item.item, text: item.value }), end]];
      },
    );
    completedItems.set(step.name, new Map(done));
  }
  return completedItems;
}

/** Lists the items of all attempts: a later attempt only runs the items that are left. */
function listSucceeded(
  store: PreviousItemsInput['store'],
  { run }: RunDetail,
  { node, attempts }: StepRecord,
): ItemRecord[] {
  return attempts.flatMap(({ attempt }) =>
    store.listItems(run, { node, attempt, statuses: ['succeeded'], limit: maxItems }),
  );
}

/** Returns the output of the item; undefined when it is no longer available, so that the item has to run again. */
function readOutput(
  { store, runDir, workflow }: Pick<PreviousItemsInput, 'store' | 'runDir' | 'workflow'>,
  { action }: Step,
  { dir, subRun }: ItemRecord,
): Pick<CompletedItem, 'output'> | undefined {
  if (action.kind === 'dag') {
    const child = subRun && store.getDetail(subRun);
    return child && { output: describeSubRun(child) };
  }
  try {
    const captured = captureOutput(path.join(runDir, dir, attemptFiles.stdout), workflow.maxOutputSize);
    return 'value' in captured ? { output: captured.value } : {};
  } catch {
    // Its log was deleted.
    return undefined;
  }
}
