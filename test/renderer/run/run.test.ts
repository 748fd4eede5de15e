import { expect, test } from 'vitest';
import { findInteresting, findNode } from '../../../renderer/features/run/find-interesting.ts';
import { labelTick, listTicks, makeScale, placeOf } from '../../../renderer/features/run/timeline-scale.ts';
import { viewedRun, viewedStepRun } from '../../rig/run-views.ts';

test.each([
  [900, ['0', '0.25 s', '0.50 s', '0.75 s']],
  [4_200, ['0', '1 s', '2 s', '3 s', '4 s']],
  [150_000, ['0', '30 s', '1m 00s', '1m 30s', '2m 00s', '2m 30s']],
  [1_900_000, ['0', '10 min', '20 min', '30 min']],
  [20_000_000, ['0', '1 h', '2 h', '3 h', '4 h', '5 h']],
])('a run of %d ms has round marks', (span, labels) => {
  const scale = makeScale(0, span);
  expect(listTicks(scale).map((offset) => labelTick(offset, scale.tick))).toEqual(labels);
});

test('moments lie on the scale in percent, and a run without length does not divide by nothing', () => {
  expect(placeOf(makeScale(1_000, 3_000), 1_500)).toBe(25);
  expect(placeOf(makeScale(1_000, 1_000), 1_000)).toBe(0);
});

const attempts = [{ attempt: 1, startedAt: '2026-01-01T00:00:00.000Z', stdoutFile: '', stderrFile: '' }];

test('what failed is looked at before what runs, and that before what ended last', () => {
  const ended = viewedStepRun('fetch', {
    status: 'succeeded',
    attempts,
    finishedAt: '2026-01-01T00:00:01.000Z',
  });
  const running = viewedStepRun('build', { status: 'running', attempts });
  const failed = viewedStepRun('onExit', { section: 'handler', status: 'failed', attempts });
  expect(findInteresting(viewedRun({ steps: [ended, running], handlers: [failed] }))).toEqual({
    section: 'handler',
    name: 'onExit',
  });
  expect(findInteresting(viewedRun({ steps: [ended, running] }))).toEqual({ section: 'step', name: 'build' });
  expect(findInteresting(viewedRun({ steps: [ended, viewedStepRun('build')] }))).toEqual({
    section: 'step',
    name: 'fetch',
  });
  expect(findInteresting(viewedRun({ steps: [], handlers: [] }))).toBeUndefined();
});

test('a reference finds its node by section and name', () => {
  const run = viewedRun({ handlers: [viewedStepRun('fetch', { section: 'handler', exitCode: 9 })] });
  expect(findNode(run, { section: 'handler', name: 'fetch' })?.exitCode).toBe(9);
  expect(findNode(run, undefined)).toBeUndefined();
});
