import { expect, test } from 'vitest';
import {
  explainRun,
  explainStep,
  linkNames,
  type ReasonSegment,
} from '../../../../renderer/features/run/run-reason.tsx';
import { readRunChoice } from '../../../../renderer/features/run/current-run.tsx';
import { listAncestors } from '../../../../renderer/features/run/run-page.tsx';
import {
  makeRunView,
  makeStepRunView,
  makeRunSummaryView,
  makeWorkflowSpec,
  makeStepSpec,
} from '../../../harness/samples.ts';

const textOf = (parts: readonly ReasonSegment[]): string => parts.map(({ text }) => text).join('');
const linksOf = (parts: readonly ReasonSegment[]): unknown[] =>
  parts.flatMap(({ href, node }) => href ?? node ?? []);

test('only whole words become links, the longest name first', () => {
  const parts = linkNames('step "load all" failed after load, not loader', [
    { text: 'load', node: { section: 'step', name: 'load' } },
    { text: 'load all', node: { section: 'step', name: 'load all' } },
  ]);
  expect(parts.filter(({ node }) => node).map(({ text }) => text)).toEqual(['load all', 'load']);
  expect(textOf(parts)).toBe('step "load all" failed after load, not loader');
});

test('names with regular expression characters are literal', () => {
  expect(linksOf(linkNames('a+b (x) failed', [{ text: 'a+b (x)', href: '/x' }]))).toEqual(['/x']);
  expect(linkNames('nothing known', [])).toEqual([{ text: 'nothing known' }]);
});

test('a queued run names its queue and the runs before it, with links', () => {
  const run = makeRunView({
    status: 'queued',
    error: 'queue heavy 1/1: behind run etl r-1',
    wait: {
      kind: 'full',
      queue: 'heavy',
      priority: 0,
      enqueuedAt: '2026-01-01T00:00:00.000Z',
      running: 1,
      limit: 1,
      ahead: 0,
      behind: [{ name: 'etl', dagRunId: 'r-1' }],
    },
  });
  expect(textOf(explainRun(run))).toBe('Waiting: queue heavy 1/1: behind run etl r-1');
  expect(linksOf(explainRun(run))).toEqual(['/queues?queue=heavy', '/runs/etl/r-1']);
});

test('a failed run links to the step that failed', () => {
  const run = makeRunView({
    status: 'failed',
    error: 'step "build" failed: exit code 3',
    steps: [
      makeStepRunView('fetch', { status: 'succeeded' }),
      makeStepRunView('build', { status: 'failed' }),
    ],
  });
  expect(linksOf(explainRun(run))).toEqual([{ section: 'step', name: 'build' }]);
});

test('an ordinary word that equals a step name is not linked', () => {
  const failed = makeStepRunView('build', {
    status: 'failed',
    error: 'copy of step "fetch" failed: cannot copy',
  });
  const run = makeRunView({
    status: 'failed',
    error: 'step "build" failed: copy of step "fetch" failed: cannot copy',
    steps: [
      makeStepRunView('fetch', { status: 'failed' }),
      makeStepRunView('copy', { status: 'failed' }),
      failed,
    ],
  });
  expect(linksOf(explainStep(run, failed))).toEqual([]);
  expect(linksOf(explainRun(run))).toEqual([{ section: 'step', name: 'build' }]);
  const quoted = makeStepRunView('a" b', { status: 'aborted' });
  const two = { ...run, error: 'step "a" b" never ran', steps: [makeStepRunView('a'), quoted] };
  expect(linksOf(explainRun(two))).toEqual([{ section: 'step', name: 'a" b' }]);
  expect(textOf(explainRun(two))).toBe('step "a" b" never ran');
});

test('a skipped and an aborted step show the cause', () => {
  const skipped = makeStepRunView('build', {
    status: 'skipped',
    error: 'precondition "${REGION}" was "north", wanted "south"',
  });
  const run = makeRunView({ status: 'succeeded', steps: [makeStepRunView('fetch'), skipped] });
  expect(textOf(explainStep(run, skipped))).toContain('was "north", wanted "south"');
  const aborted = makeStepRunView('build', {
    status: 'aborted',
    error: 'upstream failed: step "fetch" failed',
  });
  expect(linksOf(explainStep(run, aborted))).toEqual([{ section: 'step', name: 'fetch' }]);
});

test('a step that has not started shows what it waits for, or why it never will start', () => {
  const waiting = makeRunView({
    status: 'running',
    steps: [makeStepRunView('fetch', { status: 'running' }), makeStepRunView('build')],
  });
  expect(textOf(explainStep(waiting, waiting.steps[1]!))).toBe('Waiting for fetch');
  const workflow = makeWorkflowSpec([makeStepSpec('fetch'), makeStepSpec('build')], { maxActiveSteps: 1 });
  const full = { ...waiting, workflow };
  expect(textOf(explainStep(full, full.steps[1]!))).toBe(
    'Waiting for a free slot: 1 of 1 steps running (maxActiveSteps)',
  );
  const over = makeRunView({
    status: 'aborted',
    steps: [makeStepRunView('fetch', { status: 'failed' }), makeStepRunView('build')],
  });
  expect(textOf(explainStep(over, over.steps[1]!))).toBe('Not started because of fetch');
  const part = makeRunView({ status: 'succeeded', onlySteps: ['fetch'] });
  expect(textOf(explainStep(part, part.steps[1]!))).toContain('Not selected for this run');
  expect(explainStep(over, makeStepRunView('fetch', { status: 'succeeded' }))).toEqual([]);
});

test('the URL contains the selection; invalid parts are ignored', () => {
  expect(readRunChoice(new URLSearchParams('view=timeline&step=build&attempt=2&in=child/c1'))).toEqual({
    view: 'timeline',
    node: { section: 'step', name: 'build' },
    inRun: { name: 'child', dagRunId: 'c1' },
    attempt: 2,
  });
  expect(readRunChoice(new URLSearchParams('view=nonsense&handler=onExit&attempt=x&in=half'))).toEqual({
    view: 'graph',
    node: { section: 'handler', name: 'onExit' },
    inRun: undefined,
    attempt: undefined,
  });
});

test('the breadcrumb names every parent run at any depth', () => {
  const root = { name: 'top', dagRunId: 't' };
  const middle = makeRunSummaryView({
    name: 'middle',
    dagRunId: 'm',
    parent: { ...root, step: 'call' },
    root,
  });
  const leaf = makeRunSummaryView({
    name: 'leaf',
    dagRunId: 'l',
    parent: { name: 'middle', dagRunId: 'm', step: 'deeper' },
    root,
  });
  expect(listAncestors(leaf, [middle, leaf])).toEqual([root, { name: 'middle', dagRunId: 'm' }]);
  expect(listAncestors(leaf, [])).toEqual([root, { name: 'middle', dagRunId: 'm' }]);
  expect(listAncestors(makeRunSummaryView(), [])).toEqual([]);
});

test('a step waiting for a worker shows its selector', () => {
  const step = makeStepRunView('train', {
    status: 'running',
    waiting: 'no worker matches gpu=true (1 worker: w1)',
  });
  const run = makeRunView({ status: 'running', steps: [step] });
  expect(textOf(explainStep(run, step))).toBe('Waiting: no worker matches gpu=true (1 worker: w1)');
});
