import { expect, test } from 'vitest';
import { summarizeRun } from '../../../../core/cli/report/run-summary.ts';
import { viewedRun, viewedStepRun } from '../../../rig/run-views.ts';
import { openMemoryChannel } from '../test-program.ts';

test('a step that needed more than one attempt has their number under its word', () => {
  const started = '2026-01-01T00:00:00.000Z';
  const attempt = { startedAt: started, finishedAt: started, stdoutFile: '', stderrFile: '' };
  const send = viewedStepRun('send', {
    status: 'succeeded',
    attempts: [
      { ...attempt, attempt: 1, exitCode: 75 },
      { ...attempt, attempt: 2, exitCode: 0 },
    ],
  });
  const lines = summarizeRun(viewedRun({ steps: [send] }), openMemoryChannel(), Date.parse(started));
  expect(lines.at(-2)).toMatch(/^STEP +STATUS.* ATTEMPTS/);
  expect(lines.at(-1)).toMatch(/^send .* 2( |$)/);
});

test('a step that ran out of time shows the exit code that conditions go by, one that was killed its signal', () => {
  const late = viewedStepRun('late', { status: 'failed', exitCode: 124, signal: 'SIGTERM' });
  const killed = viewedStepRun('killed', { status: 'failed', signal: 'SIGKILL' });
  const lines = summarizeRun(viewedRun({ steps: [late, killed] }), openMemoryChannel(), 0);
  expect(lines.at(-2)).toMatch(/^late .* 124$/);
  expect(lines.at(-1)).toMatch(/^killed .* SIGKILL$/);
});

test.each([
  ['anna', 'by anna'],
  ['http', 'over HTTP'],
])('who started and stopped a run is told as the window tells it: %s', (name, words) => {
  const run = viewedRun({ trigger: 'api', startedBy: name, stopRequestedBy: name });
  const lines = summarizeRun(run, openMemoryChannel(), 0);
  expect(lines.find((line) => line.startsWith('Trigger'))).toMatch(new RegExp(`api, ${words}$`));
  expect(lines.find((line) => line.startsWith('Stopped'))).toMatch(new RegExp(` ${words}$`));
});
