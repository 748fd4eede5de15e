import { BROWSER_FOLDERS, CORE_LAYERS, OTHER_FOLDERS } from './layers.ts';

/**
 * Import rules for the layers in `layers.ts`. Both the lint rule (`scripts/lint/plugin.ts`) and the architecture
 * test (`test/architecture/imports.test.ts`) use {@link findImportViolation}.
 */

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

/** Size limits in lines. `functionLines` excludes blank lines and comments. */
export const SIZE_CAPS = { fileLines: 500, functionLines: 60 } as const;

/** Whether `file` is `path` or is inside the directory `path`. */
export function isWithin(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path}/`);
}

/** Returns the layer or top folder of a file, as its path; undefined when it has none. */
export function findFolder(file: string): string | undefined {
  const folder = file.split('/').slice(0, -1).join('/');
  const layer = CORE_LAYERS.find(({ path, isFlat }) => (isFlat ? folder === path : isWithin(file, path)));
  return layer?.path ?? Object.keys(OTHER_FOLDERS).find((path) => isWithin(file, path));
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
  const level = CORE_LAYERS.findIndex(({ path }) => path === folder);
  if (level < 0) {
    const allowed = [folder, ...OTHER_FOLDERS[folder]!];
    if (allowed.some((path) => isWithin(target, path))) return undefined;
    return `${folder} may not import ${target}; it may import ${allowed.slice(1).join(', ')}`;
  }
  const targetFolder = findFolder(target);
  const targetLevel = CORE_LAYERS.findIndex(({ path }) => path === targetFolder);
  if (targetLevel >= 0 && targetLevel <= level) return undefined;
  return `${folder} may not import ${target}, which is in a higher layer; see scripts/layers.ts`;
}

function findModuleViolation(file: string, folder: string, specifier: string): string | undefined {
  const isPure = CORE_LAYERS.some((layer) => layer.path === folder && layer.isPure);
  if ((isPure || BROWSER_FOLDERS.includes(folder)) && specifier.startsWith('node:')) {
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
