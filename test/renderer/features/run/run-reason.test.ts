import { expect, test } from 'vitest';
import { findNodeToShow, findNode } from '../../../../renderer/features/run/run-reason.tsx';
import { makeApprovalView, makeRunView, makeStepRunView } from '../../../harness/samples.ts';

const attempts = [{ attempt: 1, startedAt: '2026-01-01T00:00:00.000Z', stdoutFile: '', stderrFile: '' }];

test('selects a failed step before a running one, and that before the last finished one', () => {
  const ended = makeStepRunView('fetch', {
    status: 'succeeded',
    attempts,
    finishedAt: '2026-01-01T00:00:01.000Z',
  });
  const running = makeStepRunView('build', { status: 'running', attempts });
  const failed = makeStepRunView('onExit', { section: 'handler', status: 'failed', attempts });
  expect(findNodeToShow(makeRunView({ steps: [ended, running], handlers: [failed] }))).toEqual({
    section: 'handler',
    name: 'onExit',
  });
  expect(findNodeToShow(makeRunView({ steps: [ended, running] }))).toEqual({
    section: 'step',
    name: 'build',
  });
  expect(findNodeToShow(makeRunView({ steps: [ended, makeStepRunView('build')] }))).toEqual({
    section: 'step',
    name: 'fetch',
  });
  expect(findNodeToShow(makeRunView({ steps: [], handlers: [] }))).toBeUndefined();
});

test('selects a step waiting for approval before a failed one, until it is answered', () => {
  const failed = makeStepRunView('fetch', { status: 'failed', attempts });
  const asking = makeStepRunView('build', { status: 'running', attempts, approval: makeApprovalView() });
  expect(findNodeToShow(makeRunView({ steps: [failed, asking] }))?.name).toBe('build');
  const answered = { ...asking, approval: makeApprovalView({ decision: 'approved' }) };
  expect(findNodeToShow(makeRunView({ steps: [failed, answered] }))?.name).toBe('fetch');
});

test('a reference finds its node by section and name', () => {
  const run = makeRunView({ handlers: [makeStepRunView('fetch', { section: 'handler', exitCode: 9 })] });
  expect(findNode(run, { section: 'handler', name: 'fetch' })?.exitCode).toBe(9);
  expect(findNode(run, undefined)).toBeUndefined();
});
