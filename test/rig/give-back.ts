import { afterAll, vi } from 'vitest';

// Set-up of test files that share a process: the last test of one changes no variable for the next one.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
