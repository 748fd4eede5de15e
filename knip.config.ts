import type { KnipConfig } from 'knip';

/** Dead files, exports and dependencies. `!` marks what the product itself is made of. */
const config: KnipConfig = {
  entry: [
    'main/index.ts!',
    'preload/index.ts!',
    'core/cli/main.ts!',
    'renderer/index.html!',
    'renderer/**/*.worker.ts!',
    'scripts/{start,test}.mjs',
    'scripts/{build,dev}.ts',
    'scripts/build/engine-launcher.mjs',
    'scripts/lint/plugin.ts',
    'test/**/*.{test,spec,bench}.{ts,tsx}',
    'test/electron-standin/{run,type-fidelity,processes/parent-port}.ts',
    'test/electron-standin/fixture/*.{js,cjs}',
  ],
  project: ['{core,main,preload,renderer}/**/*.{ts,tsx}!', '{scripts,test}/**/*.{ts,tsx,mjs}', '*.config.ts'],
  // Used as files or as commands rather than imported.
  ignoreDependencies: ['node', 'electron-builder', 'oxlint-tsgolint'],
  ignoreExportsUsedInFile: true,
};

export default config;
