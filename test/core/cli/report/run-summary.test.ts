import { expect, test } from 'vitest';
import { summarizeRun } from '../../../../core/cli/report/run-summary.ts';
import { viewedRun, viewedStepRun } from '../../../rig/run-views.ts';
import { openMemoryChannel } from '../memory-channel.ts';

test('a step that needed more than one attempt has their number under its word', () => {
  const begun = '2026-01-01T00:00:00.000Z';
  const attempt = { startedAt: begun, finishedAt: begun, stdoutFile: '', stderrFile: '' };
  const send = viewedStepRun('send', {
    status: 'succeeded',
    attempts: [
      { ...attempt, attempt: 1, exitCode: 75 },
      { ...attempt, attempt: 2, exitCode: 0 },
    ],
  });
  const lines = summarizeRun(viewedRun({ steps: [send] }), openMemoryChannel(), Date.parse(begun));
  expect(lines.at(-2)).toMatch(/^STEP +STATUS.* ATTEMPTS/);
  expect(lines.at(-1)).toMatch(/^send .* 2( |$)/);
});
