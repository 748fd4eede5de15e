import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openProcessorAccount, readMachineSeconds } from '../../scripts/setup/processor-account.mjs';

const burn = 'const end = process.cpuUsage().user + 100_000; while (process.cpuUsage().user < end);';

test('the account includes the processor time of child processes and removes its control group', () => {
  const before = readMachineSeconds();
  const close = openProcessorAccount();
  execFileSync(process.execPath, ['-e', burn], { timeout: 30_000 });
  const seconds = close?.();
  expect(readMachineSeconds() - before).toBeGreaterThan(0.05);
  // Undefined where this process may not make control groups.
  expect(seconds ?? 0.1).toBeGreaterThanOrEqual(0.1);
  expect(existsSync(`/sys/fs/cgroup/cpuacct/stepwright-tests-${process.pid}`)).toBe(false);
});
