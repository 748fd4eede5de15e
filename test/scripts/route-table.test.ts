import { expect, test } from 'vitest';
import { operations, streams } from '../../core/contract/operations.ts';
import { formatRouteTable } from '../../scripts/build/bundle-plugins.ts';

interface BuiltTable {
  readonly routes: object;
  readonly streamRoutes: object;
  readonly operationLabels: object;
}

test('the route table of clients has the path and the role of every operation and stream', async () => {
  const address = `data:text/javascript,${encodeURIComponent(formatRouteTable())}`;
  const { routes, streamRoutes, operationLabels } = (await import(address)) as BuiltTable;
  expect(Object.keys(routes)).toEqual(Object.keys(operations));
  expect(operations).toMatchObject(routes);
  expect(routes).toMatchObject({
    'dags.start': { method: 'POST', path: '/dags/{fileName}/start', role: 'operator' },
    'quotes.random': { version: 1 },
  });
  expect(Object.keys(streamRoutes)).toEqual(Object.keys(streams));
  expect(streams).toMatchObject(streamRoutes);
  expect(operationLabels).toMatchObject({
    'dags.start': 'start a workflow',
    'queues.pause': 'pause a queue',
  });
});
