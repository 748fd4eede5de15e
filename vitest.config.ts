import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { bundledPrograms } from './test/rig/bundled-programs.ts';
import { longestFirst } from './test/rig/longest-first.ts';
import { listFilesOfOtherPlatforms } from './test/rig/platforms.ts';

/** Tests of the window: they get a DOM. */
const RENDERER = 'test/renderer/**/*.test.{ts,tsx}';

/** Tests that start the built programs: `out/` is built before them when it is stale. */
const BUILT = 'test/{cli,docs,http,conformance,integration,packaging}/**/*.test.ts';

/**
 * Tests that work with real counterparts (a container engine, an SSH server, PostgreSQL, an object store) or with several
 * processes.
 */
const PARTS = [
  'test/core/executors/{actions,container,ssh}/**/*.test.ts',
  'test/core/**/processes.test.ts',
  'test/core/store/**/*.test.ts',
  'test/core/gateway/{catalog,database,openapi,plan}/**/*.test.ts',
  'test/core/gateway/fuzz.test.ts',
  'test/core/distributed/{coordinator,files,store,worker}/**/*.test.ts',
];

/** Tests of whole engines, and of the parts that start processes or listen: they wait for those. */
const ENGINE = [
  'test/core/{api,executors,hosts,http,maintenance,monitor,process,queue,run,scheduler,telemetry}/**/*.test.ts',
  'test/resources/**/*.test.ts',
];

/** Kills real hosts at every moment, and takes away what they need: see CONTRIBUTING. */
const FAULTS = 'test/faults/**/*.test.ts';

/** Short texts that take long: they wait for leases, or for a time that they are given. */
const LONG = [
  'exhaustion',
  'distributed/database',
  'distributed/network',
  'distributed/workers',
  'leases',
  'soak',
].map((name) => `faults/${name}.test.ts`);

export default defineConfig({
  plugins: [react(), bundledPrograms(), longestFirst(LONG)],
  test: {
    globalSetup: ['./test/rig/memory-folder.ts'],
    setupFiles: ['./test/rig/give-back.ts'],
    exclude: listFilesOfOtherPlatforms(),
    pool: 'forks',
    restoreMocks: true,
    // Variables, too, are for one test alone: files share a process.
    unstubEnvs: true,
    unstubGlobals: true,
    // Vitest itself would leave one processor free, and many tests wait for others most of their time. One more than
    // this gains nothing on two processors, and tests ran out of time.
    maxWorkers: availableParallelism() + 1,
    // For what hangs; a busy machine is no failure.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Vitest itself would give up after a second.
    expect: { poll: { timeout: 25_000 } },
    projects: [
      // Whatever belongs to no other project runs straight from the sources, so that no test file is ever left out.
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [RENDERER, BUILT, FAULTS, ...PARTS, ...ENGINE],
          // To load the sources anew for each file takes longer than its tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'engine',
          include: ENGINE,
          exclude: PARTS,
          isolate: false,
          setupFiles: ['./test/rig/keep-database-code.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          include: PARTS,
          isolate: false,
          setupFiles: ['./test/rig/keep-database-code.ts'],
          // For the programs of test/programs, which Node would strip and compile anew each time.
          env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/stepwright-compiled') },
        },
      },
      {
        extends: true,
        test: {
          name: 'renderer',
          include: [RENDERER],
          environment: 'jsdom',
          isolate: false,
          setupFiles: ['./test/rig/fresh-sources.ts', './test/rig/test-window.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'built',
          include: [BUILT],
          globalSetup: ['./test/rig/build-once.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: [FAULTS],
          // Side by side, and by `npm test` beside the others: most of what they do is to wait for processes, or for leases.
          sequence: { groupOrder: 1 },
          maxWorkers: 4,
          globalSetup: ['./test/rig/build-once.ts'],
          testTimeout: 60_000,
        },
      },
    ],
  },
});
