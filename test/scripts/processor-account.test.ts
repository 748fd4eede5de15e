import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { trackProcessorTime, readMachineSeconds } from '../../scripts/setup/test-times.mjs';

const burn = 'while (process.cpuUsage().user < 100_000) for (let i = 0; i < 1e6; i += 1);';

test('CPU accounting includes child processes and removes its control group', () => {
  const before = readMachineSeconds();
  const close = trackProcessorTime();
  execFileSync(process.execPath, ['-e', burn], { timeout: 30_000 });
  const seconds = close?.();
  expect(readMachineSeconds() - before).toBeGreaterThan(0.05);
  // Undefined where this process may not create control groups.
  expect(seconds ?? 0.1).toBeGreaterThanOrEqual(0.1);
  expect(existsSync(`/sys/fs/cgroup/cpuacct/stepwright-tests-${process.pid}`)).toBe(false);
});
