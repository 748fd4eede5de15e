import { describe, expect, test } from 'vitest';
import { WorkflowCache } from '../../../core/api/caches.ts';
import { LoadedTexts } from '../../../core/run/queue/dispatcher.ts';
import { loadStored } from '../../../core/run/recovery/previous-run.ts';
import { describeRun, openTestStore } from '../store/store-harness.ts';

const text =
  'handlerOn: {exit: {command: "true"}}\nsteps: [{name: a, command: "true"}, {name: b, command: "true"}, {name: c, command: "true"}]\n';

/** A run of the text as a recovery or a queue loads it: from the store only. */
async function storeRun(onlySteps?: readonly string[]) {
  const store = openTestStore();
  const run = describeRun({ spec: { text, document: 0 }, onlySteps });
  await store.createRun(run, 1);
  return (await store.getDetail(run))!;
}

const getNames = ({ steps, handlers }: { steps: readonly { name: string }[]; handlers: object }) => [
  ...steps.map(({ name }) => name),
  ...Object.keys(handlers),
];

describe('stored run of selected steps', () => {
  test('is loaded with its selection, in order, wherever it continues', async () => {
    const detail = await storeRun(['a', 'c']);
    expect(detail.run.onlySteps).toEqual(['a', 'c']);
    const { workflow, source } = await loadStored(detail);
    expect(getNames(workflow)).toEqual(['a', 'c']);
    expect(workflow.steps[1]?.depends).toEqual(['a']);
    // The document itself stays whole: another step may call it.
    expect(getNames(source.workflows[0]!)).toEqual(['a', 'b', 'c', 'exit']);
    expect(getNames(await new WorkflowCache().find(detail.run, detail.spec))).toEqual(['a', 'c']);
  });

  test('is distinguished from another selection of the same text', async () => {
    const texts = new LoadedTexts();
    const parts = [['a'], undefined, ['b']];
    const loaded = await Promise.all(
      parts.map(async (part) => getNames((await texts.load(await storeRun(part))).workflow)),
    );
    expect(loaded).toEqual([['a'], ['a', 'b', 'c', 'exit'], ['b']]);
  });
});
