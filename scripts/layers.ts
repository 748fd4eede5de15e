/**
 * The layers of the source tree, in order: a layer may import itself and the layers before it, type imports included.
 * ARCHITECTURE.md has a diagram. The lint rule (`scripts/lint/plugin.ts`) and the architecture test
 * (`test/architecture/imports.test.ts`) use {@link findImportViolation}.
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

export const RENDERER_LAYERS: readonly Layer[] = [
  { path: 'renderer/styles', isPure: true },
  { path: 'renderer/base', isPure: true },
  { path: 'renderer/format', isPure: true },
  { path: 'renderer/api', isPure: true },
  { path: 'renderer/navigation', isPure: true },
  { path: 'renderer/ui', isPure: true },
  { path: 'renderer/code', isPure: true },
  { path: 'renderer/graph', isPure: true },
  { path: 'renderer/features', isPure: true },
  { path: 'renderer/editor', isPure: true },
  { path: 'renderer/app', isPure: true },
  { path: 'renderer', isPure: true, isFlat: true },
];

const PURE_HALF = CORE_LAYERS.flatMap(({ path, isPure }) => (isPure ? [path] : []));

/** What the folders outside `core` may import in addition to themselves. */
export const OTHER_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  // core/index.ts is the API of the engine.
  main: ['core/index.ts', 'core/base', 'core/contract', 'core/process', 'core/home'],
  preload: ['core/contract'],
  renderer: PURE_HALF,
  scripts: [...PURE_HALF, 'core/cli'],
  test: ['core', 'main', 'preload', 'renderer', 'scripts', 'resources', 'docs'],
};

/** Modules that only some folders may import; the reason is part of the message. */
export const RESTRICTED_MODULES: readonly { modules: RegExp; folders: readonly string[]; reason: string }[] =
  [
    {
      modules: /^electron(\/|$)/,
      folders: ['main', 'preload', 'test'],
      reason: 'the engine runs without Electron; take what you need as an argument',
    },
    {
      modules: /^better-sqlite3(\/|$)/,
      folders: ['core/store', 'test'],
      reason: 'only core/store speaks SQL; use its functions',
    },
    {
      modules: /^(node:)?child_process$|^node-pty(\/|$)/,
      folders: ['core/process', 'main', 'scripts', 'test'],
      reason: 'only core/process starts processes',
    },
    {
      modules: /^(node:)?(timers(\/promises)?|perf_hooks)$/,
      folders: ['core/base/system-clock.ts', 'scripts', 'test'],
      reason: 'time is a parameter; take a Clock (core/base/clock.ts)',
    },
  ];

/** Files and directories that may read the clock and set timers. */
export const CLOCK_FILES: readonly string[] = [
  'core/base/system-clock.ts',
  'renderer/base/clock.ts',
  'scripts',
  'test',
];

/**
 * Size limits in lines, and numbers of files and folders of the product. `functionLines` excludes blank lines and
 * comments. A file with fewer than `shortFileLines` says in its first line why it is a file of its own.
 */
export const SIZE_CAPS = {
  fileLines: 500,
  shortFileLines: 40,
  functionLines: 60,
  files: 1450,
  folders: 160,
} as const;

/** Whether `file` is `path` or is inside the directory `path`. */
export function isWithin(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path}/`);
}

const STACKS = [CORE_LAYERS, RENDERER_LAYERS];

/** Returns the layer or top folder of a file, as its path; undefined when it has none. */
export function findFolder(file: string): string | undefined {
  const folder = file.split('/').slice(0, -1).join('/');
  const layer = STACKS.flat().find(({ path, isFlat }) => (isFlat ? folder === path : isWithin(file, path)));
  if (layer) return layer.path;
  const top = folder.split('/')[0]!;
  return top !== 'renderer' && top in OTHER_FOLDERS ? top : undefined;
}

/**
 * Checks one import.
 * @param file the importing file, relative to the repository root, with forward slashes
 * @param specifier the specifier of the import statement
 * @returns what is wrong and what to do, or undefined when the import is allowed
 */
export function findImportViolation(file: string, specifier: string): string | undefined {
  const folder = findFolder(file);
  if (folder === undefined) {
    return file.includes('/') ? `${file} is in no layer: add its folder to scripts/layers.ts` : undefined;
  }
  return specifier.startsWith('.')
    ? findDirectionViolation(folder, resolveRelative(file, specifier))
    : findModuleViolation(file, folder, specifier);
}

function findDirectionViolation(folder: string, target: string): string | undefined {
  if (target === 'package.json') return undefined;
  const stack = STACKS.find((layers) => layers.some(({ path }) => path === folder)) ?? [];
  const level = stack.findIndex(({ path }) => path === folder);
  const targetFolder = findFolder(target);
  const targetLevel = stack.findIndex(({ path }) => path === targetFolder);
  if (targetLevel > level) {
    return `${folder} may not import ${target}, which is in a higher layer; see scripts/layers.ts`;
  }
  const top = folder.split('/')[0]!;
  const allowed = OTHER_FOLDERS[top] ?? [];
  if (targetLevel >= 0 || targetFolder === folder || allowed.some((path) => isWithin(target, path))) {
    return undefined;
  }
  return `${folder} may not import ${target}${allowed.length > 0 ? `; it may import ${allowed.join(', ')}` : ''}`;
}

function findModuleViolation(file: string, folder: string, specifier: string): string | undefined {
  const isPure = STACKS.flat().some((layer) => layer.path === folder && layer.isPure);
  if (isPure && specifier.startsWith('node:')) {
    return `${folder} runs without Node and may not import ${specifier}; take it as an argument`;
  }
  const rule = RESTRICTED_MODULES.find(({ modules }) => modules.test(specifier));
  if (!rule || rule.folders.some((path) => isWithin(file, path))) return undefined;
  return `${specifier} may be imported only in ${rule.folders.join(', ')}: ${rule.reason}`;
}

/** Resolves `core/run/runner.ts` + `../spec/plan.ts?raw` to `core/spec/plan/plan.ts`. */
export function resolveRelative(file: string, specifier: string): string {
  const segments = file.split('/').slice(0, -1);
  for (const segment of specifier.replace(/\?.*$/, '').split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}
