import { expect, test } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import { findSubWorkflow, type WorkflowFinder } from '../../../core/run/sub-runs.ts';
import type { LoadedFile } from '../../../core/run/run-service.ts';

const fileAt = (file: string): LoadedFile => ({ file, text: '', workflows: [], diagnostics: [] });
const parent = fileAt('/project/main.yaml');

/** Knows `etl` of the workflow directory, and two files next to the caller. */
const finder: WorkflowFinder = {
  findByName: async (name) => (name === 'etl' ? { spec: fileAt('/home/dags/etl.yaml') } : undefined),
  async read(file) {
    if (['/project/chi.yaml', '/project/sub/rho.yml'].includes(file)) return fileAt(file);
    throw new AppError('not_found', `There is no workflow file ${file}`);
  },
};

test.each([
  ['etl', '/home/dags/etl.yaml'],
  ['etl.yaml', '/home/dags/etl.yaml'],
  ['chi', '/project/chi.yaml'],
  ['./chi.yaml', '/project/chi.yaml'],
  ['sub/rho', '/project/sub/rho.yml'],
])('%s is found at %s', async (dag, file) => {
  expect((await findSubWorkflow(finder, parent, dag)).source.file).toBe(file);
});

test('rejects a missing one with the searched paths', async () => {
  await expect(findSubWorkflow(finder, parent, 'psi')).rejects.toThrow(
    'Workflow "psi" not found in this file or the workflow folder, and there is no file /project/psi.',
  );
});
