import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { GatewayCatalogView, GatewayStatusView } from '../../../../core/contract/gateway.ts';
import { GatewayPage } from '../../../../renderer/features/gateway/gateway-page.tsx';
import { FakeBridge, renderWith, makeCurrentUser } from '../../renderer-harness.tsx';

const open: GatewayStatusView = {
  isEnabled: true,
  kind: 'embedded',
  state: 'open',
  version: '18.6',
  place: '/home/ann/data/gateway',
  schemas: ['public'],
  needsToken: false,
  isReading: false,
  isUsed: true,
};

const empty: GatewayCatalogView = {
  schemas: ['public'],
  readAt: '2026-01-01T00:00:00.000Z',
  version: '18.6',
  tables: [],
  functions: [],
  domains: [],
};

const filled: GatewayCatalogView = {
  ...empty,
  tables: [
    {
      schema: 'public',
      name: 'clients',
      kind: 'table',
      comment: 'Who buys',
      isInsertable: true,
      isUpdatable: true,
      isDeletable: false,
      related: ['orders'],
      columns: [
        {
          name: 'id',
          type: 'public.app_uuid',
          baseType: 'uuid',
          isNullable: false,
          isGenerated: false,
          isKey: true,
          domain: 'public.app_uuid',
        },
        {
          name: 'name',
          type: 'text',
          baseType: 'text',
          isNullable: false,
          isGenerated: false,
          isKey: false,
        },
      ],
    },
  ],
  domains: [
    {
      schema: 'public',
      name: 'app_uuid',
      response: 'public.to_base64',
      columns: [{ table: { schema: 'public', name: 'clients' }, column: 'id' }],
    },
  ],
};

interface Scene {
  readonly status?: GatewayStatusView;
  readonly catalog?: () => GatewayCatalogView | Promise<GatewayCatalogView>;
  readonly role?: 'viewer' | 'manager';
  readonly path?: string;
}

function show({ status = open, catalog = () => filled, role = 'manager', path = '/gateway' }: Scene = {}) {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', role),
    'gateway.status': () => status,
    'gateway.catalog': catalog,
    'gateway.reload': () => filled,
    'gateway.request': () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '[{"id":12345678901234567890}]',
      isCut: false,
      tookMs: 12,
    }),
  });
  renderWith(bridge, <GatewayPage />, { path });
  return bridge;
}

test('a table shows its columns, and the permitted operations', async () => {
  show({ path: '/gateway?part=columns' });
  const table = within(await screen.findByRole('region', { name: 'table clients' }));
  expect(table.getByText('Who buys')).toBeTruthy();
  expect(table.getByText(/GET, POST, PATCH, PUT · related to orders/)).toBeTruthy();
  expect(table.getByText('over uuid')).toBeTruthy();
  const ways = table.getAllByRole('definition').map(({ textContent }) => textContent);
  expect(ways).toEqual(['by public.to_base64', 'as stored: uuid', 'as stored: uuid']);
  expect(table.getByText('as stored')).toBeTruthy();
  expect(screen.getByText('/home/ann/data/gateway')).toBeTruthy();
});

test('a domain shows its conversions, and where they apply', async () => {
  show({ path: '/gateway?view=domains' });
  const row = within((await screen.findByText('public.to_base64')).closest('tr')!);
  expect(row.getAllByText('base type')).toHaveLength(2);
  expect(row.getByText('clients.id')).toBeTruthy();
});

test('shows that the database is starting', async () => {
  const waiting = Promise.withResolvers<GatewayCatalogView>();
  show({ status: { ...open, state: 'opening' }, catalog: () => waiting.promise });
  expect(await screen.findByRole('heading', { name: 'Starting the database…' })).toBeTruthy();
  expect(screen.getByRole('progressbar')).toBeTruthy();
  waiting.resolve(filled);
  expect(await screen.findByRole('region', { name: 'table clients' })).toBeTruthy();
});

test('an empty database shows an example, which is not run', async () => {
  const bridge = show({ catalog: () => empty });
  fireEvent.click(await screen.findByRole('button', { name: 'Show example' }));
  expect(screen.getByText(/CREATE CAST \(app_uuid AS json\)/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy SQL' })).toBeTruthy();
  expect(bridge.callsOf('gateway.request')).toEqual([]);
});

test('sends a request as composed, and shows every digit of the response', async () => {
  const bridge = show({ path: '/gateway?view=request' });
  fireEvent.change(await screen.findByRole('textbox', { name: 'Value' }), { target: { value: 'a/b=' } });
  fireEvent.click(screen.getByRole('button', { name: 'Add filter' }));
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  const response = within(await screen.findByRole('region', { name: 'Response' }));
  expect(response.getByRole('status').textContent).toBe('200 OK in 12 ms');
  expect(response.getByText(/12345678901234567890/)).toBeTruthy();
  expect(bridge.callsOf('gateway.request')).toEqual([
    { method: 'GET', path: '/clients?id=eq.a/b%3D', headers: { Accept: 'application/json' } },
  ]);
});

test('invalid headers are reported, and not sent', async () => {
  const bridge = show({ path: '/gateway?view=request' });
  fireEvent.change(await screen.findByRole('textbox', { name: 'Headers' }), {
    target: { value: 'nonsense' },
  });
  expect(screen.getByText(/Invalid header "nonsense"/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(bridge.callsOf('gateway.request')).toEqual([]);
});

test('an unavailable database shows the reason', async () => {
  show({
    catalog: () => {
      throw new Error('The gateway database is not available: it is used by another process.');
    },
  });
  expect(await screen.findByText(/used by another process/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});

test('shows when tables are not visible to a user, and when the gateway is off', async () => {
  show({ role: 'viewer' });
  // Non-admins load the table of roles.
  expect(
    await screen.findByRole('heading', { name: 'You do not have permission to view the gateway' }),
  ).toBeTruthy();
  cleanup();
  show({ status: { ...open, isEnabled: false } });
  expect(await screen.findByRole('heading', { name: 'The gateway is disabled' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Reload' })).toBeNull();
});
