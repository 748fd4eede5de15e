import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { DagDetailView } from '../../../../core/contract/dags.ts';
import { BridgeProvider } from '../../../../renderer/api/bridge.ts';
import { WorkflowPage } from '../../../../renderer/features/workflow/workflow-page.tsx';
import { FakeBridge } from '../../renderer-harness.tsx';

const broken: DagDetailView = {
  fileName: 'mine',
  name: 'mine',
  tags: [],
  schedule: { start: [], stop: [], restart: [] },
  suspended: false,
  stepCount: 0,
  valid: false,
  file: '/home/dags/mine.yaml',
  spec: 'one\ntwo\nthree\n',
  diagnostics: [],
  localDags: [],
};

async function show(...files: string[]) {
  return showDag(broken, ...files);
}

async function showDag(dag: DagDetailView, ...files: string[]) {
  const diagnostics = files.map((file) => ({
    severity: 'error' as const,
    message: `wrong in ${file}`,
    file,
    line: 2,
    column: 1,
    path: '',
  }));
  const bridge = new FakeBridge({
    'dags.get': () => ({ ...dag, diagnostics }),
    'runs.list': () => ({ dagRuns: [] }),
  });
  const { container } = render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <BridgeProvider value={bridge}>
        <WorkflowPage fileName="mine" />
      </BridgeProvider>
    </QueryClientProvider>,
  );
  await screen.findByText('three');
  return container.querySelectorAll('[data-line][data-severity="error"]').length;
}

test('an error in the file is shown above it and at its line', async () => {
  expect(await show(broken.file, '/home/base.yaml')).toBe(1);
  expect(screen.getByText(/Fix the errors to run this workflow/)).toBeTruthy();
});

test('an error in the base configuration is shown with its own position, and at no line of the file', async () => {
  expect(await show('/home/base.yaml')).toBe(0);
  expect(screen.getByText(/until the base configuration is fixed/).parentElement!.textContent).toContain(
    '/home/base.yaml:2:1: wrong in',
  );
});

test('a scheduled workflow with a required parameter without a default says that it cannot start', async () => {
  const fields = [
    { name: 'env', title: 'Environment', type: 'string', required: true },
    { name: 'day', type: 'string', required: true, default: 'monday' },
  ] as const;
  const schedule = { start: ['0 5 * * *'], stop: [], restart: [] };
  await showDag({ ...broken, valid: true, schedule, paramForm: { fields: [...fields] } });
  expect(screen.getByText('Scheduled runs cannot start.').parentElement!.textContent).toContain(
    'Add defaults for required parameters: Environment.',
  );
});
