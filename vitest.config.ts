import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { bundledPrograms, slowestFirst } from './test/harness/setup/vite-plugins.ts';
import { listFilesOfOtherPlatforms } from './test/harness/setup/platforms.ts';

/** Tests of the window: they get a DOM. */
const RENDERER = 'test/renderer/**/*.test.{ts,tsx}';

/** Tests that start the built programs: `out/` is built before them when it is stale. */
const BUILT = 'test/{cli,docs,conformance,integration,packaging}/**/*.test.ts';

/** Tests that start containers. `npm test` runs them before the browser specs, see scripts/test.mjs. */
const CONTAINERS = [
  'test/core/executors/container/**/*.test.ts',
  'test/core/executors/actions/docker.test.ts',
  'test/docs/container.test.ts',
];

/**
 * Tests that work with real counterparts (an SSH server, PostgreSQL, an object store) or with several processes.
 */
const PARTS = [
  'test/core/executors/{actions,ssh}/**/*.test.ts',
  'test/core/**/processes.test.ts',
  'test/core/store/**/*.test.ts',
  'test/core/gateway/{catalog,database,openapi,plan}/**/*.test.ts',
  'test/core/gateway/fuzz.test.ts',
  'test/resources/templates.test.ts',
  'test/core/distributed/{coordinator,files,store,worker}/**/*.test.ts',
];

/** Tests of whole engines, and of the parts that start processes or listen: they wait for those. */
const ENGINE = ['test/core/{api,executors,http,process,run}/**/*.test.ts', 'test/resources/**/*.test.ts'];

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

/** Workers for tests that mostly wait: for processes, or for leases. */
const BESIDE = 4;

/** For the programs of test/programs, which Node would strip and compile each time. */
const COMPILED_PROGRAMS = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/stepwright-compiled'),
};

/** For what hangs; a busy machine is no failure, and `npm run test:long` repeats a property for minutes. */
const LIMIT_MS = process.env['PROPERTY_RUNS'] === undefined ? 60_000 : 1_800_000;

export default defineConfig({
  plugins: [react(), bundledPrograms(), slowestFirst(LONG)],
  test: {
    globalSetup: ['./test/harness/setup/memory-folder.ts'],
    setupFiles: ['./test/harness/setup/restore-environment.ts'],
    exclude: listFilesOfOtherPlatforms(),
    pool: 'forks',
    restoreMocks: true,
    // Variables, too, are for one test alone: files share a process.
    unstubEnvs: true,
    unstubGlobals: true,
    // Vitest itself would leave one processor free, and many tests wait for others most of their time. One more than
    // this gains nothing on two processors, and tests ran out of time.
    maxWorkers: availableParallelism() + 1,
    testTimeout: LIMIT_MS,
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
          exclude: [RENDERER, BUILT, FAULTS, ...CONTAINERS, ...PARTS, ...ENGINE],
          // To reload the sources for each file takes longer than its tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'engine',
          include: ENGINE,
          exclude: [...CONTAINERS, ...PARTS],
          isolate: false,
          env: COMPILED_PROGRAMS,
          setupFiles: ['./test/harness/setup/cache-database-code.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          include: PARTS,
          exclude: CONTAINERS,
          globalSetup: ['./test/harness/setup/build-once.ts', './test/harness/setup/ensure-services.ts'],
          isolate: false,
          setupFiles: ['./test/harness/setup/cache-database-code.ts'],
          env: COMPILED_PROGRAMS,
        },
      },
      {
        extends: true,
        test: {
          name: 'renderer',
          include: [RENDERER],
          environment: 'jsdom',
          isolate: false,
          setupFiles: ['./test/harness/setup/window.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'built',
          include: [BUILT],
          exclude: CONTAINERS,
          globalSetup: ['./test/harness/setup/build-once.ts', './test/harness/setup/ensure-services.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'containers',
          include: CONTAINERS,
          isolate: false,
          sequence: { groupOrder: 1 },
          maxWorkers: BESIDE,
          globalSetup: ['./test/harness/setup/build-once.ts', './test/harness/setup/ensure-services.ts'],
          setupFiles: ['./test/harness/setup/cache-database-code.ts'],
          // Asked for by describeWithContainers.
          env: { MAY_START_CONTAINERS: 'true' },
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: [FAULTS],
          isolate: false,
          // Side by side, and by `npm test` with the others: most of what they do is to wait for processes, or for leases.
          sequence: { groupOrder: 1 },
          maxWorkers: BESIDE,
          globalSetup: ['./test/harness/setup/build-once.ts', './test/harness/setup/ensure-services.ts'],
          testTimeout: 2 * LIMIT_MS,
        },
      },
    ],
  },
});
