import { afterAll, vi } from 'vitest';

// Set-up of test files that share a process: restores variables after the last test of a file.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
