/**
 * The layers of the source tree, in order: a layer may import itself and the layers before it. ARCHITECTURE.md has a
 * diagram; `architecture.ts` checks the imports, type imports included. A new folder of `core` needs a row here.
 */
export interface Layer {
  /** Folder, relative to the repository root. */
  readonly path: string;
  /** True if Node's own modules and packages for Node are not allowed. */
  readonly isPure?: true;
  /** True for the files directly in the folder. */
  readonly isFlat?: true;
}

export const CORE_LAYERS: readonly Layer[] = [
  { path: 'core/base', isPure: true },
  { path: 'core/model', isPure: true },
  { path: 'core/contract', isPure: true },
  { path: 'core/spec', isPure: true },
  { path: 'core/edit', isPure: true },
  { path: 'core/process' },
  { path: 'core/home' },
  { path: 'core/store' },
  { path: 'core/executors' },
  { path: 'core/run' },
  { path: 'core/webhooks' },
  { path: 'core/gateway' },
  { path: 'core/api' },
  { path: 'core/http' },
  { path: 'core/distributed' },
  { path: 'core', isFlat: true },
  { path: 'core/cli' },
];

/** Folders above the engine, and what they may import in addition to themselves. */
export const OTHER_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  main: ['core/index.ts', 'core/base', 'core/contract', 'core/process', 'core/home'],
  preload: ['core/contract'],
  renderer: CORE_LAYERS.flatMap(({ path, isPure }) => (isPure ? [path] : [])),
  scripts: [
    ...CORE_LAYERS.flatMap(({ path, isPure }) => (isPure ? [path] : [])),
    // The table of commands and the completion scripts, for packages.
    'core/cli/program.ts',
    'core/cli/help.ts',
    'core/cli/completion-scripts.ts',
  ],
  test: ['core', 'main', 'preload', 'renderer', 'scripts', 'resources', 'docs'],
};

/** Folders without Node's own modules, other than the pure layers. */
export const BROWSER_FOLDERS: readonly string[] = ['renderer'];
