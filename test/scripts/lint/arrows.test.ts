import { expect, it } from 'vitest';
import {
  countAreaImports,
  findRuntimeCycle,
  type SourceImport,
} from '../../../scripts/lint/source-metrics.ts';

const from = (specifier: string, typeOnly = false): SourceImport => ({ specifier, typeOnly });

it('has one arrow per pair of areas, and marks those forbidden by the table', () => {
  const imports = new Map([
    ['core/spec/a.ts', [from('../model/step.ts'), from('./b.ts'), from('node:fs')]],
    ['core/spec/b.ts', [from('../model/run.ts'), from('../store/runs.ts', true)]],
  ]);
  expect(countAreaImports(imports)).toEqual([
    { from: 'core/spec', to: 'core/model', isAllowed: true },
    { from: 'core/spec', to: 'core/store', isAllowed: false },
  ]);
});

it('finds only run-time cycles', () => {
  const there = ['core/spec/a.ts', [from('./b.ts')]] as const;
  const back = (typeOnly: boolean) => new Map([there, ['core/spec/b.ts', [from('./a.ts', typeOnly)]]]);
  expect(findRuntimeCycle(back(false))).toEqual(['core/spec/a.ts', 'core/spec/b.ts', 'core/spec/a.ts']);
  expect(findRuntimeCycle(back(true))).toBeUndefined();
});
