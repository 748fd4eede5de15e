import { expect, test } from 'vitest';
import { summarizeRun } from '../../../core/cli/run-report.ts';
import { makeRunView, makeStepRunView } from '../../harness/samples.ts';
import { openMemoryChannel } from '../../harness/home-and-command.ts';

test('a step with several attempts has their number under its status', () => {
  const started = '2026-01-01T00:00:00.000Z';
  const attempt = { startedAt: started, finishedAt: started, stdoutFile: '', stderrFile: '' };
  const send = makeStepRunView('send', {
    status: 'succeeded',
    attempts: [
      { ...attempt, attempt: 1, exitCode: 75 },
      { ...attempt, attempt: 2, exitCode: 0 },
    ],
  });
  const lines = summarizeRun(makeRunView({ steps: [send] }), openMemoryChannel(), Date.parse(started));
  expect(lines.at(-2)).toMatch(/^STEP +STATUS.* ATTEMPTS/);
  expect(lines.at(-1)).toMatch(/^send .* 2( |$)/);
});

test('a step that timed out shows the exit code used by conditions, a killed step its signal', () => {
  const late = makeStepRunView('late', { status: 'failed', exitCode: 124, signal: 'SIGTERM' });
  const killed = makeStepRunView('killed', { status: 'failed', signal: 'SIGKILL' });
  const lines = summarizeRun(makeRunView({ steps: [late, killed] }), openMemoryChannel(), 0);
  expect(lines.at(-2)).toMatch(/^late .* 124$/);
  expect(lines.at(-1)).toMatch(/^killed .* SIGKILL$/);
});

test.each([
  ['anna', 'by anna'],
  ['http', 'over HTTP'],
])('shows who started and stopped a run as the UI does: %s', (name, words) => {
  const run = makeRunView({ trigger: 'api', startedBy: name, stopRequestedBy: name });
  const lines = summarizeRun(run, openMemoryChannel(), 0);
  expect(lines.find((line) => line.startsWith('Trigger'))).toMatch(new RegExp(`api, ${words}$`));
  expect(lines.find((line) => line.startsWith('Stopped'))).toMatch(new RegExp(` ${words}$`));
});

test('the items of a retried step name the attempt that they belong to', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const attempt = { startedAt: at, finishedAt: at, stdoutFile: '', stderrFile: '', exitCode: 1 };
  const items = { total: 1, started: 1, running: 0, succeeded: 0, failed: 1 };
  const steps = [1, 2].map((count) =>
    makeStepRunView('load', {
      items,
      status: 'failed',
      attempts: Array.from({ length: count }, (_, index) => ({ ...attempt, attempt: index + 1 })),
    }),
  );
  const lines = summarizeRun(makeRunView({ steps }), openMemoryChannel(), Date.parse(at));
  expect(lines.at(-2)).toMatch(/ 0\/1$/);
  expect(lines.at(-1)).toMatch(/ 0\/1 in attempt 2 /);
});
