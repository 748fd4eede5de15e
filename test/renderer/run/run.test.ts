import { expect, test } from 'vitest';
import { findInteresting, findNode } from '../../../renderer/features/run/find-interesting.ts';
import { viewedApproval, viewedRun, viewedStepRun } from '../../rig/run-views.ts';

const attempts = [{ attempt: 1, startedAt: '2026-01-01T00:00:00.000Z', stdoutFile: '', stderrFile: '' }];

test('selects a failed step before a running one, and that before the last finished one', () => {
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

test('selects a step waiting for approval before a failed one, until it is answered', () => {
  const failed = viewedStepRun('fetch', { status: 'failed', attempts });
  const asking = viewedStepRun('build', { status: 'running', attempts, approval: viewedApproval() });
  expect(findInteresting(viewedRun({ steps: [failed, asking] }))?.name).toBe('build');
  const answered = { ...asking, approval: viewedApproval({ decision: 'approved' }) };
  expect(findInteresting(viewedRun({ steps: [failed, answered] }))?.name).toBe('fetch');
});

test('a reference finds its node by section and name', () => {
  const run = viewedRun({ handlers: [viewedStepRun('fetch', { section: 'handler', exitCode: 9 })] });
  expect(findNode(run, { section: 'handler', name: 'fetch' })?.exitCode).toBe(9);
  expect(findNode(run, undefined)).toBeUndefined();
});
