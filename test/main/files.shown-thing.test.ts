import { expect, test } from 'vitest';
import { parseExportTarget } from '../../main/files.ts';

const page = 'app://stepwright/index.html';

test.each([
  ['#/dags/sales-etl', { kind: 'workflow', fileName: 'sales-etl' }],
  ['#/dags/sales%20etl/edit?line=3', { kind: 'workflow', fileName: 'sales etl' }],
  ['#/runs/etl/01-2?step=load', { kind: 'run', name: 'etl', dagRunId: '01-2' }],
])('%s identifies something to save', (hash, expected) => {
  expect(parseExportTarget(page + hash)).toEqual(expected);
});

test.each([
  '',
  '#/',
  '#/dags',
  '#/dags/',
  '#/runs',
  '#/runs/etl',
  '#/dags/a/versions',
  '#/runs/a/b/c',
  '#/dags/%',
  '#/settings',
])('"%s" identifies nothing to save', (hash) => {
  expect(parseExportTarget(page + hash)).toBeUndefined();
});
