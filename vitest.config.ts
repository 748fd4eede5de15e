import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Projects that run straight from the sources. */
const unit = (name: string, include: string[], environment: 'node' | 'jsdom' = 'node') => ({
  extends: true as const,
  test: { name, include, environment },
});

/** Projects that start the built programs; the global set-up builds `out/` when it is stale. */
const built = (name: string, include: string[]) => ({
  extends: true as const,
  test: {
    name,
    include,
    environment: 'node' as const,
    globalSetup: ['./test/rig/build-once.ts'],
    testTimeout: 30_000,
  },
});

export default defineConfig({
  plugins: [react()],
  test: {
    pool: 'forks',
    restoreMocks: true,
    projects: [
      unit('core', ['test/core/**/*.test.ts']),
      unit('main', ['test/main/**/*.test.ts']),
      unit('preload', ['test/preload/**/*.test.ts']),
      unit('architecture', ['test/architecture/**/*.test.ts', 'test/scripts/**/*.test.ts']),
      unit('renderer', ['test/renderer/**/*.test.{ts,tsx}'], 'jsdom'),
      built('built', ['test/{cli,http,conformance,integration,packaging,standin}/**/*.test.ts']),
    ],
  },
});
