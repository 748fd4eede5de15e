import { AREAS, type Area } from './areas.ts';

export { AREAS } from './areas.ts';

/**
 * Import rules for the table in `areas.ts`. Both the lint rule (`scripts/lint/plugin.ts`) and the architecture
 * test (`test/architecture/imports.test.ts`) use {@link findImportViolation}.
 */

/** Modules that only some areas may import; the reason is part of the message. */
export const RESTRICTED_MODULES: readonly { modules: RegExp; areas: readonly string[]; reason: string }[] = [
  {
    modules: /^electron(\/|$)/,
    areas: ['main', 'preload', 'test'],
    reason: 'the engine runs without Electron; take what you need as an argument',
  },
  {
    modules: /^better-sqlite3(\/|$)/,
    areas: ['core/store', 'test'],
    reason: 'only core/store speaks SQL; ask it through a port',
  },
  {
    modules: /^(node:)?child_process$|^node-pty(\/|$)/,
    areas: ['core/process', 'main', 'scripts', 'test'],
    reason: 'only core/process starts processes',
  },
  {
    modules: /^(node:)?(timers(\/promises)?|perf_hooks)$/,
    areas: ['core/base/system-clock.ts', 'scripts', 'test'],
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

/** Returns the area of a file: the row with the longest matching path. */
export function findArea(file: string): Area | undefined {
  const matches = AREAS.filter((area) => isWithin(file, area.path));
  return matches.sort((a, b) => b.path.length - a.path.length)[0];
}

/**
 * Checks one import.
 * @param file the importing file, relative to the repository root, with forward slashes
 * @param specifier the specifier of the import statement
 * @returns what is wrong and what to do, or undefined when the import is allowed
 */
export function findImportViolation(file: string, specifier: string): string | undefined {
  const area = findArea(file);
  if (!area) {
    return file.includes('/') ? `${file} is in no area: add a row to scripts/architecture.ts` : undefined;
  }
  return specifier.startsWith('.')
    ? findDirectionViolation(area, resolveRelative(file, specifier))
    : findModuleViolation(file, area, specifier);
}

function findDirectionViolation(area: Area, target: string): string | undefined {
  const allowed = [area.path, ...area.mayImport].some((path) => isWithin(target, path));
  if (allowed || target === 'package.json') return undefined;
  const doors = area.mayImport.length > 0 ? area.mayImport.join(', ') : 'nothing outside itself';
  return `${area.path} may not import ${target}; it may import ${doors}`;
}

function findModuleViolation(file: string, area: Area, specifier: string): string | undefined {
  if (area.withoutNode && specifier.startsWith('node:')) {
    return `${area.path} runs without Node and may not import ${specifier}; take it as an argument`;
  }
  const rule = RESTRICTED_MODULES.find(({ modules }) => modules.test(specifier));
  if (!rule || rule.areas.some((path) => isWithin(file, path))) return undefined;
  return `${specifier} may be imported only in ${rule.areas.join(', ')}: ${rule.reason}`;
}

/** Resolves `core/run/runner.ts` + `../plan/plan.ts?raw` to `core/spec/plan/plan.ts`. */
export function resolveRelative(file: string, specifier: string): string {
  const segments = file.split('/').slice(0, -1);
  for (const segment of specifier.replace(/\?.*$/, '').split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}
