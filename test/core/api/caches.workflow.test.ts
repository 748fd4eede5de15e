import { expect, test } from 'vitest';
import { WorkflowCache } from '../../../core/api/caches.ts';
import { loadBaseConfig } from '../../../core/spec/base-config.ts';
import { loadSpec } from '../../../core/spec/load.ts';
import { describeRun, openTestStore } from '../store/store-harness.ts';

const store = openTestStore;

test('returns a run’s workflow from its stored text and document, under the run’s name', async () => {
  const run = await store().createRun(describeRun({ name: 'called' }), 0);
  const stored = new WorkflowCache();
  const text =
    'name: a\nsteps: [{ name: x, command: "true" }]\n---\nname: b\nsteps: [{ name: y, command: "true" }]';
  const find = (spec: string, document: number) => stored.find(run, { text: spec, document });
  expect(await find(text, 0)).toMatchObject({ name: 'called', steps: [{ name: 'x' }] });
  expect(await find(text, 1)).toMatchObject({ name: 'called', steps: [{ name: 'y' }] });
});

test('applies the base configuration of that time', async () => {
  const run = await store().createRun(describeRun(), 0);
  const stored = new WorkflowCache();
  const groupOf = async (base?: string) =>
    (await stored.find(run, { text: 'steps: [a]', base, document: 0 })).group;
  const bases = [undefined, 'group: one', 'group: two', 'group: [', undefined];
  expect(await Promise.all(bases.map((base) => groupOf(base)))).toEqual([
    undefined,
    'one',
    'two',
    undefined,
    undefined,
  ]);
});

test('returns no steps for text that can no longer be loaded', async () => {
  const run = await store().createRun(describeRun({ name: 'old' }), 0);
  const workflow = await new WorkflowCache().find(run, { text: 'steps: [', document: 0 });
  expect(workflow).toMatchObject({ name: 'old', steps: [], handlers: {} });
});

test('loads a text once while it is used, and evicts old ones', async () => {
  const run = await store().createRun(describeRun(), 0);
  const stored = new WorkflowCache();
  const stepsOf = async (index: number) =>
    (await stored.find(run, { text: `name: w${index}\nsteps: ["true"]`, document: 0 })).steps;
  const first = await stepsOf(0);
  const second = await stepsOf(1);
  for (let index = 2; index < 64; index += 1) await stepsOf(index);
  expect(await stepsOf(0)).toBe(first);
  await stepsOf(64);
  expect(await stepsOf(0)).toBe(first);
  expect(await stepsOf(1)).not.toBe(second);
});

test('does not reload what was just loaded for a start', async () => {
  const run = await store().createRun(describeRun(), 0);
  const stored = new WorkflowCache();
  const [text, baseText] = ['steps: ["true"]', 'group: one'];
  const { base } = loadBaseConfig({ text: baseText });
  const { workflows } = loadSpec({ text, base });
  stored.remember({ text, baseText, workflows });
  const stepsOf = async (over?: string) => (await stored.find(run, { text, base: over, document: 0 })).steps;
  expect(await stepsOf(baseText)).toBe(workflows[0]!.steps);
  expect(await stepsOf()).not.toBe(workflows[0]!.steps);
});

test('loads large text in a thread, and fails where no thread is available', async () => {
  const run = await store().createRun(describeRun(), 0);
  const stored = new WorkflowCache();
  const spec = { text: `description: ${'a'.repeat(20_000)}\nsteps: [large]`, document: 0 };
  expect(stored.peek(run, spec)).toBeUndefined();
  const { steps } = await stored.find(run, spec);
  expect(steps).toMatchObject([{ name: 'cmd_1' }]);
  expect(stored.peek(run, spec)?.steps).toBe(steps);
  expect(stored.peek(run, { text: 'steps: [small]', document: 0 })?.steps).toHaveLength(1);
});
