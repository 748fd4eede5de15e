import { expect, it } from 'vitest';
import {
  countAreaImports,
  findRuntimeCycle,
  type SourceImport,
} from '../../../scripts/lint/source-metrics.ts';

const from = (specifier: string, typeOnly = false): SourceImport => ({ specifier, typeOnly });

it('has one arrow per pair of areas, and marks those forbidden by the table', () => {
  const imports = new Map([
    ['core/plan/a.ts', [from('../model/step.ts'), from('./b.ts'), from('node:fs')]],
    ['core/plan/b.ts', [from('../model/run.ts'), from('../store/runs.ts', true)]],
  ]);
  expect(countAreaImports(imports)).toEqual([
    { from: 'core/plan', to: 'core/model', isAllowed: true },
    { from: 'core/plan', to: 'core/store', isAllowed: false },
  ]);
});

it('finds only run-time cycles', () => {
  const there = ['core/plan/a.ts', [from('./b.ts')]] as const;
  const back = (typeOnly: boolean) => new Map([there, ['core/plan/b.ts', [from('./a.ts', typeOnly)]]]);
  expect(findRuntimeCycle(back(false))).toEqual(['core/plan/a.ts', 'core/plan/b.ts', 'core/plan/a.ts']);
  expect(findRuntimeCycle(back(true))).toBeUndefined();
});
