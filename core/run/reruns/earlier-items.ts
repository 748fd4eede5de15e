import path from 'node:path';
import { attemptFiles } from '../../model/run/attempt-files.ts';
import type { ItemRecord, RunDetail, StepRecord } from '../../model/run/run.ts';
import type { Step } from '../../model/workflow/step.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import { describeSubRun } from '../../executors/dag.ts';
import { itemKey, type DoneItem, type KeptItems } from '../steps/done-item.ts';
import type { RunStore } from '../ports.ts';
import { captureOutput } from '../values/outputs.ts';

/** An ended run whose steps with `parallel` begin anew. */
export interface EarlierItemsFacts {
  readonly store: Pick<RunStore, 'listItems' | 'getDetail'>;
  readonly detail: RunDetail;
  /** Absolute path of the run's directory. */
  readonly runDir: string;
  readonly workflow: Workflow;
  /** Names of the steps that begin anew. */
  readonly again: readonly string[];
  /** Attempts of a step up to this number do not count; all do without it. */
  after?(step: string): number;
}

/** No step has more. */
const mostItems = 1000;

/** Items that succeeded and need not be done again, by the name of their step. */
export function readEarlierItems({
  store,
  detail,
  runDir,
  workflow,
  again,
  after = () => 0,
}: EarlierItemsFacts): Map<string, KeptItems> {
  const records = new Map(
    detail.steps.map((record) => [`${record.node.section}:${record.node.name}`, record]),
  );
  const kept = new Map<string, KeptItems>();
  for (const step of workflow.steps) {
    const record = records.get(`step:${step.name}`);
    if (step.parallel === undefined || record === undefined || !again.includes(step.name)) continue;
    const attempts = record.attempts.filter(({ attempt }) => attempt > after(step.name));
    const done = listSucceeded(store, detail, { ...record, attempts }).flatMap(
      (item): [string, DoneItem][] => {
        const found = readOutput({ store, runDir, workflow }, step, item);
        if (found === undefined) return [];
        const end: DoneItem = { status: 'succeeded', end: {}, ...found };
        return [[itemKey({ number: item.item, text: item.value }), end]];
      },
    );
    kept.set(step.name, new Map(done));
  }
  return kept;
}

/** Of all its attempts: a later one does only what the earlier ones have left. */
function listSucceeded(
  store: EarlierItemsFacts['store'],
  { run }: RunDetail,
  { node, attempts }: StepRecord,
): ItemRecord[] {
  return attempts.flatMap(({ attempt }) =>
    store.listItems(run, { node, attempt, statuses: ['succeeded'], limit: mostItems }),
  );
}

/** What the item came to; undefined when that is not to be had any more, so that it has to be done again. */
function readOutput(
  { store, runDir, workflow }: Pick<EarlierItemsFacts, 'store' | 'runDir' | 'workflow'>,
  { action }: Step,
  { dir, subRun }: ItemRecord,
): Pick<DoneItem, 'output'> | undefined {
  if (action.kind === 'dag') {
    const child = subRun && store.getDetail(subRun);
    return child && { output: describeSubRun(child) };
  }
  try {
    const captured = captureOutput(path.join(runDir, dir, attemptFiles.stdout), workflow.maxOutputSize);
    return 'value' in captured ? { output: captured.value } : {};
  } catch {
    // Its log has been removed.
    return undefined;
  }
}
