import { expect, test } from 'vitest';
import { StoredWorkflows } from '../../../../core/api/kept/stored-workflows.ts';
import { loadBaseConfig } from '../../../../core/spec/base-config.ts';
import { loadSpec } from '../../../../core/spec/load.ts';
import { describeRun, openTestStore } from '../../store/store-rig.ts';

const store = openTestStore;

test('gives a run the workflow of its own text and document, under the run’s name', () => {
  const run = store().createRun(describeRun({ name: 'called' }), 0);
  const stored = new StoredWorkflows();
  const text =
    'name: a\nsteps: [{ name: x, command: "true" }]\n---\nname: b\nsteps: [{ name: y, command: "true" }]';
  const find = (spec: string, document: number) => stored.find(run, { text: spec, document });
  expect(find(text, 0)).toMatchObject({ name: 'called', steps: [{ name: 'x' }] });
  expect(find(text, 1)).toMatchObject({ name: 'called', steps: [{ name: 'y' }] });
});

test('puts it over the base configuration of its time', () => {
  const run = store().createRun(describeRun(), 0);
  const stored = new StoredWorkflows();
  const groupOf = (base?: string) => stored.find(run, { text: 'steps: [a]', base, document: 0 }).group;
  expect([groupOf(), groupOf('group: one'), groupOf('group: two'), groupOf('group: ['), groupOf()]).toEqual([
    undefined,
    'one',
    'two',
    undefined,
    undefined,
  ]);
});

test('knows no steps of a text that cannot be loaded any more', () => {
  const run = store().createRun(describeRun({ name: 'old' }), 0);
  const workflow = new StoredWorkflows().find(run, { text: 'steps: [', document: 0 });
  expect(workflow).toMatchObject({ name: 'old', steps: [], handlers: {} });
});

test('loads a text once as long as it is used, and forgets old ones', () => {
  const run = store().createRun(describeRun(), 0);
  const stored = new StoredWorkflows();
  const stepsOf = (index: number) =>
    stored.find(run, { text: `name: w${index}\nsteps: ["true"]`, document: 0 }).steps;
  const first = stepsOf(0);
  const second = stepsOf(1);
  for (let index = 2; index < 64; index += 1) stepsOf(index);
  expect(stepsOf(0)).toBe(first);
  stepsOf(64);
  expect(stepsOf(0)).toBe(first);
  expect(stepsOf(1)).not.toBe(second);
});

test('does not load again what has just been loaded for a start', () => {
  const run = store().createRun(describeRun(), 0);
  const stored = new StoredWorkflows();
  const [text, baseText] = ['steps: ["true"]', 'group: one'];
  const { base } = loadBaseConfig({ text: baseText });
  const { workflows } = loadSpec({ text, base });
  stored.remember({ text, baseText, workflows });
  const stepsOf = (over?: string) => stored.find(run, { text, base: over, document: 0 }).steps;
  expect(stepsOf(baseText)).toBe(workflows[0]!.steps);
  expect(stepsOf()).not.toBe(workflows[0]!.steps);
});
