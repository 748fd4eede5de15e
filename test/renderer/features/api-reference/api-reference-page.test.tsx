import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Route } from 'wouter';
import { operations, streams } from '../../../../core/contract/operations.ts';
import { routePatterns } from '../../../../renderer/navigation/address.ts';
import { ApiReferencePage } from '../../../../renderer/features/api-reference/api-reference-page.tsx';
import { FakeBridge, builtinInfo, renderWith } from '../../renderer-harness.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';

function open(path: string, required = false) {
  const bridge = new FakeBridge({ 'auth.info': () => ({ ...builtinInfo, required }) });
  const { location } = renderWith(
    bridge,
    <Route path={routePatterns.apiReference}>{({ name }) => <ApiReferencePage name={name} />}</Route>,
    { path },
  );
  return location;
}

const listed = (): string[] =>
  within(screen.getByRole('navigation', { name: 'Operations' }))
    .getAllByRole('link')
    .map((link) => link.querySelector('span')!.textContent);

test('lists every operation and stream, and shows the first', () => {
  open('/api-reference');
  expect(listed()).toEqual(expect.arrayContaining([...Object.keys(operations), ...Object.keys(streams)]));
  expect(screen.getByRole('region', { name: 'dags.list' })).toBeTruthy();
  expect(screen.getByRole('link', { current: 'page' }).textContent).toContain('dags.list');
});

test('shows how to call it, the required role, the response and the errors', () => {
  open('/api-reference/dags.start');
  const detail = within(screen.getByRole('region', { name: 'dags.start' }));
  expect(detail.getByText('Operator or higher')).toBeTruthy();
  expect(detail.getByRole('figure').textContent).toBe(
    `curl -sS -X POST \\
  -H 'Content-Type: application/json' \\
  -d '{"params": "PACE=0"}' \\
  "http://127.0.0.1:8080/api/v2/dags/sales-etl/start"`,
  );
  expect(detail.getByRole('row', { name: /^fileName path string/ })).toBeTruthy();
  expect(
    detail.getByRole('row', { name: /^params ?optional body string Parameters as on the command line/ }),
  ).toBeTruthy();
  expect(detail.getByRole('row', { name: /^max_run_reached 409/ })).toBeTruthy();
});

test('shows the credentials that a server requires', async () => {
  open('/api-reference/dags.get', true);
  const example = (): string => screen.getByRole('figure').textContent;
  await waitUntilPasses(() => expect(example()).toContain('-H "Authorization: Bearer $ENGINE_SERVER_TOKEN"'));
  expect(screen.getByText('Any role')).toBeTruthy();
  cleanup();
  open('/api-reference/auth.login', true);
  await waitUntilPasses(() => expect(screen.getByText('No authentication')).toBeTruthy());
  expect(example()).not.toContain('Authorization');
});

test('links a schema in a type to its fields', () => {
  const location = open('/api-reference/runs.list');
  const detail = within(screen.getByRole('region', { name: 'runs.list' }));
  fireEvent.click(detail.getByRole('link', { name: 'RunSummaryView' }));
  expect(location.history.at(-1)).toBe('/api-reference/RunSummaryView');
  const shape = within(screen.getByRole('region', { name: 'RunSummaryView' }));
  expect(shape.getByRole('row', { name: /^createdAt time/ })).toBeTruthy();
});

test('filters the list by all words, in a name, a path or a field', () => {
  open('/api-reference/dags.start');
  const search = screen.getByRole('searchbox', { name: 'Search the API' });
  fireEvent.change(search, { target: { value: 'pause queue continue' } });
  expect(listed()).toEqual(['queues.pause']);
  fireEvent.change(search, { target: { value: 'expiresInDays' } });
  expect(listed()).toEqual(['workers.createToken', 'tokens.create']);
  // The selected operation stays.
  expect(screen.getByRole('region', { name: 'dags.start' })).toBeTruthy();
  fireEvent.change(search, { target: { value: 'zebra' } });
  fireEvent.click(screen.getByRole('button', { name: 'Clear search' }));
  expect(listed().length).toBeGreaterThan(60);
});

test('reports an unknown operation', () => {
  open('/api-reference/dags.paint');
  expect(screen.getByText('Operation "dags.paint" not found')).toBeTruthy();
});
