import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  findFolder,
  findImportViolation,
  resolveRelative,
  CORE_LAYERS,
  RENDERER_LAYERS,
  type Layer,
} from '../../scripts/layers.ts';
import {
  findRuntimeCycle,
  findCycle,
  listSources,
  readImportGraph,
  readImports,
} from '../../scripts/lint/source-metrics.ts';

const ROOT = join(import.meta.dirname, '../..');
const PRODUCT = ['core', 'main', 'preload', 'renderer'].filter((folder) => existsSync(join(ROOT, folder)));
const files = listSources(ROOT, [...PRODUCT, 'scripts', 'test']);
const imports = readImportGraph(ROOT, files);

describe('the source tree', () => {
  test('imports only in the allowed directions', () => {
    const violations = [...imports].flatMap(([file, found]) =>
      found.flatMap(({ specifier }) => {
        const message = findImportViolation(file, specifier);
        return message ? [`${file}: ${message}`] : [];
      }),
    );
    expect(violations).toEqual([]);
  });

  test('has no import cycle at run time', () => {
    expect(findRuntimeCycle(imports)).toBeUndefined();
  });

  test('has no grab-bag folders', () => {
    const named = files.filter((file) => /\/(utils?|helpers?|common|managers?|misc|shared)\//.test(file));
    expect(named).toEqual([]);
  });

  test.each([
    ['core', CORE_LAYERS],
    ['renderer', RENDERER_LAYERS],
  ])('has no cycle between folders of %s, type imports included', (_, layers) => {
    const edges = new Map(layers.map(({ path }) => [path, [] as string[]]));
    for (const [file, found] of imports) {
      const folder = findFolder(file)!;
      const targets = found
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => findFolder(resolveRelative(file, specifier)))
        .filter((target): target is string => target !== undefined && target !== folder);
      edges.get(folder)?.push(...targets);
    }
    expect(findCycle(edges)).toBeUndefined();
  });

  test.each([
    ['core', 50],
    ['renderer', 35],
  ])('has no cycle between the subfolders of %s, type imports included', (top, atLeast) => {
    const findSubfolder = (file: string): string | undefined => {
      const layer = findFolder(file) ?? '';
      const [folder, ...rest] = file.slice(layer.length + 1).split('/');
      return layer.startsWith(`${top}/`) && rest.length > 0 ? `${layer}/${folder}` : undefined;
    };
    const edges = new Map<string, string[]>();
    for (const [file, found] of imports) {
      const folder = findSubfolder(file);
      if (folder === undefined) continue;
      const targets = found
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => findSubfolder(resolveRelative(file, specifier)))
        .filter((target) => target !== undefined && target !== folder);
      edges.set(folder, [...(edges.get(folder) ?? []), ...targets.map(String)]);
    }
    expect(edges.size).toBeGreaterThan(atLeast);
    expect(findCycle(edges)).toBeUndefined();
  });

  const listFolders = (top: string): string[] =>
    readdirSync(join(ROOT, top), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${top}/${entry.name}`);
  const listDeep = (layers: readonly Layer[]): string[] =>
    layers.filter(({ isFlat }) => !isFlat).map(({ path }) => path);

  test('has a layer for every folder of core and renderer, and at most 16 folders in core', () => {
    expect(listFolders('core').toSorted()).toEqual(listDeep(CORE_LAYERS).toSorted());
    // Static files are in renderer/public.
    expect(listFolders('renderer').toSorted()).toEqual(
      [...listDeep(RENDERER_LAYERS), 'renderer/public'].toSorted(),
    );
    expect(listFolders('core').length).toBeLessThanOrEqual(16);
  });
});

describe('import checks', () => {
  test.each([
    ['core/spec/plan/plan.ts', '../../store/runs.ts', /core\/spec may not import core\/store\/runs.ts/],
    ['core/spec/plan/plan.ts', 'node:fs', /without Node/],
    ['core/store/runs.ts', '../run/run-service.ts', /in a higher layer/],
    ['core/run/runner.ts', 'better-sqlite3', /only core\/store/],
    ['core/run/runner.ts', 'child_process', /only core\/process/],
    ['core/run/runner.ts', 'electron', /without Electron/],
    ['core/run/runner.ts', 'node:timers/promises', /take a Clock/],
    ['renderer/main.tsx', '../core/run/runner.ts', /renderer may not import/],
    ['preload/index.ts', '../core/engine.ts', /preload may not import/],
    ['renderer/ui/page.tsx', '../features/runs/runs-page.tsx', /in a higher layer/],
    ['main/index.ts', '../core/engine.ts', /main may not import/],
    ['main/index.ts', '../renderer/main.tsx', /main may not import/],
    ['core/unheard-of/file.ts', './other.ts', /add its folder/],
  ])('%s may not import %s', (file, specifier, message) => {
    expect(findImportViolation(file, specifier)).toMatch(message);
  });

  test.each([
    ['core/spec/plan/plan.ts', '../../model/step.ts'],
    ['core/store/runs.ts', 'better-sqlite3'],
    ['core/process/spawn.ts', 'node:child_process'],
    ['main/index.ts', '../core/index.ts'],
    ['main/index.ts', 'electron'],
    ['renderer/features/runs/run-page.tsx', '../../../core/model/run.ts'],
    ['vite.config.ts', './scripts/build.ts'],
  ])('%s may import %s', (file, specifier) => {
    expect(findImportViolation(file, specifier)).toBeUndefined();
  });

  test('finds every form of import and ignores comments', () => {
    const source = [
      "import 'side-effect';",
      "import type { A } from './a.ts';",
      "import def, {\n  type B,\n} from './b.ts';",
      "export * from './c.ts';",
      "export type { D } from './d.ts';",
      "const lazy = () => import('./e.ts');",
      "new Worker(new URL('./f.ts', import.meta.url));",
      "// import './comment.ts';",
      "/* import './comment.ts'; */",
      "export const text = 'from here';",
    ].join('\n');
    expect(readImports(source)).toEqual([
      { specifier: 'side-effect', typeOnly: false },
      { specifier: './a.ts', typeOnly: true },
      { specifier: './b.ts', typeOnly: false },
      { specifier: './c.ts', typeOnly: false },
      { specifier: './d.ts', typeOnly: true },
      { specifier: './e.ts', typeOnly: false },
      { specifier: './f.ts', typeOnly: false },
    ]);
  });

  test('names the files of an import cycle', () => {
    const edges = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', []],
      ['d', ['b']],
    ]);
    expect(findCycle(edges)).toEqual(['b', 'd', 'b']);
    expect(findCycle(new Map([['a', ['b']]]))).toBeUndefined();
  });
});
