import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import type {
  GatewayCatalogView,
  GatewayColumnView,
  GatewayStatusView,
} from '../../../../core/contract/gateway.ts';
import type { GatewayRowPage } from '../../../../core/contract/gateway-tables.ts';
import { GatewayPage } from '../../../../renderer/features/gateway/gateway-page.tsx';
import { FakeBridge, makeCurrentUser, renderWith } from '../../renderer-harness.tsx';

const status: GatewayStatusView = {
  isEnabled: true,
  kind: 'embedded',
  state: 'open',
  place: '/home/ann/data/gateway',
  schemas: ['public'],
  needsToken: false,
  isReading: false,
  isUsed: true,
};

const column = (name: string, type: string, more: Partial<GatewayColumnView> = {}): GatewayColumnView => ({
  name,
  type,
  baseType: type,
  isNullable: true,
  isGenerated: false,
  isKey: false,
  ...more,
});

const catalog: GatewayCatalogView = {
  schemas: ['public'],
  readAt: '2026-01-01T00:00:00.000Z',
  version: '18.6',
  functions: [],
  domains: [
    { schema: 'public', name: 'mark', response: 'public.mark_json', body: 'public.mark_of', columns: [] },
  ],
  tables: [
    {
      schema: 'public',
      name: 'things',
      kind: 'table',
      isInsertable: true,
      isUpdatable: true,
      isDeletable: true,
      related: [],
      columns: [
        column('id', 'public.mark', {
          baseType: 'integer',
          isNullable: false,
          isKey: true,
          domain: 'public.mark',
        }),
        column('name', 'text'),
        column('price', 'numeric(6,2)'),
      ],
    },
  ],
};

const rows: GatewayRowPage = {
  key: ['id'],
  nextCursor: 'after-2',
  info: { count: 3, isCountCapped: false, indexed: ['id'] },
  rows: [
    { key: ['1'], cells: [{ text: '#1', stored: '1' }, { text: null }, { text: '1.50' }] },
    { key: ['2'], cells: [{ text: '#2', stored: '2' }, { text: '' }, { text: null }] },
  ],
};

const last: GatewayRowPage = {
  key: ['id'],
  rows: [{ key: ['3'], cells: [{ text: '#3', stored: '3' }, { text: 'three' }, { text: null }] }],
};

type Answers = ConstructorParameters<typeof FakeBridge>[0];

function show(answers: Answers = {}, path = '/gateway') {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', 'manager'),
    'gateway.status': () => status,
    'gateway.catalog': () => catalog,
    'gateway.reload': () => catalog,
    'gateway.rows': ({ cursor }) => (cursor === undefined ? rows : last),
    ...answers,
  });
  renderWith(bridge, <GatewayPage />, { path });
  return bridge;
}

const cell = async (text: string): Promise<HTMLElement> => (await screen.findByText(text)).closest('td')!;

const press = (element: Element, key: string): void => void fireEvent.keyDown(element, { key });

beforeEach(() => localStorage.clear());

test('rows show NULL apart from empty, and the stored value of a domain on hover', async () => {
  show();
  const grid = within(await screen.findByRole('grid', { name: 'things' }));
  expect(grid.getByText('#1').title).toBe('Stored as 1');
  expect(grid.getAllByText('NULL')).toHaveLength(2);
  expect(grid.getByText('empty')).toBeTruthy();
  expect(grid.getByRole('columnheader', { name: /price numeric\(6,2\)/ })).toBeTruthy();
  expect(screen.getByText('3 rows')).toBeTruthy();
});

test('a value is edited in place, with the message of PostgreSQL at the cell', async () => {
  const bridge = show({
    'gateway.updateRow': ({ values }) => {
      if (values['price'] === 'much')
        throw new AppError('bad_request', 'invalid input syntax for type numeric: "much".', {
          details: { field: 'values.price' },
        });
      return { row: { key: ['1'], cells: [{ text: '#1' }, { text: null }, { text: '7.50' }] } };
    },
  });
  const price = await cell('1.50');
  act(() => price.focus());
  press(price, 'Enter');
  const input = screen.getByRole('textbox', { name: 'price' });
  fireEvent.change(input, { target: { value: 'much' } });
  press(input, 'Enter');
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Invalid input syntax for type numeric: "much".',
  );
  fireEvent.change(input, { target: { value: '7.5' } });
  press(input, 'Enter');
  expect(await screen.findByText('7.50')).toBeTruthy();
  expect(bridge.callsOf('gateway.updateRow').at(-1)).toEqual({
    schema: 'public',
    table: 'things',
    key: ['1'],
    values: { price: '7.5' },
    expected: { price: '1.50' },
  });
});

test('Escape discards an edit, NULL is set by its button, and a domain expects its stored value', async () => {
  const bridge = show({ 'gateway.updateRow': () => ({ row: rows.rows[0]! }) });
  const id = await cell('#1');
  fireEvent.doubleClick(id);
  const input = screen.getByRole('textbox', { name: 'id' });
  fireEvent.change(input, { target: { value: '#9' } });
  press(input, 'Escape');
  expect(screen.queryByRole('textbox', { name: 'id' })).toBeNull();
  expect(bridge.callsOf('gateway.updateRow')).toEqual([]);
  fireEvent.doubleClick(await cell('1.50'));
  fireEvent.click(screen.getByRole('button', { name: 'NULL' }));
  await waitFor(() => expect(bridge.callsOf('gateway.updateRow')).toHaveLength(1));
  fireEvent.doubleClick(await cell('#1'));
  const again = screen.getByRole('textbox', { name: 'id' });
  fireEvent.change(again, { target: { value: '#9' } });
  press(again, 'Enter');
  await waitFor(() =>
    expect(bridge.callsOf('gateway.updateRow').at(-1)).toMatchObject({
      values: { id: '#9' },
      expected: { id: '1' },
    }),
  );
});

test('pages, order and filters are those of the database', async () => {
  const bridge = show();
  fireEvent.click(await screen.findByRole('button', { name: 'Next page' }));
  expect(await screen.findByText('three')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: /price/ }));
  await screen.findByText('#1');
  fireEvent.click(screen.getByRole('button', { name: 'Filter' }));
  const filter = await screen.findByRole('textbox', { name: 'Filter price' });
  fireEvent.change(filter, { target: { value: '>= 2' } });
  press(filter, 'Enter');
  await waitFor(() =>
    expect(bridge.callsOf('gateway.rows').at(-1)).toEqual({
      schema: 'public',
      table: 'things',
      limit: 100,
      order: { column: 'price', direction: 'asc' },
      filters: [{ column: 'price', operator: 'gte', value: '2' }],
    }),
  );
  expect(bridge.callsOf('gateway.rows')[1]).toMatchObject({ cursor: 'after-2' });
});

test('selected rows are deleted after a confirmation with their number', async () => {
  const bridge = show({ 'gateway.deleteRows': () => ({ deleted: 1 }) });
  press(await cell('#1'), ' ');
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 2' }));
  fireEvent.click(screen.getByRole('button', { name: 'Delete…' }));
  expect(screen.getByRole('heading', { name: 'Delete 2 rows of things?' })).toBeTruthy();
  expect(bridge.callsOf('gateway.deleteRows')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Delete 2 rows' }));
  expect(await screen.findByText(/Deleted 1 row of things. 1 row had already been deleted./)).toBeTruthy();
  expect(bridge.callsOf('gateway.deleteRows')).toEqual([
    { schema: 'public', table: 'things', keys: [['1'], ['2']] },
  ]);
});

test('a row is inserted with defaults for empty fields, and its error is at the field', async () => {
  const bridge = show({
    'gateway.insertRow': () => {
      throw new AppError('bad_request', 'invalid input syntax for type numeric: "x".', {
        details: { field: 'values.price' },
      });
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Insert row' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'id (mark)' }), { target: { value: '#4' } });
  fireEvent.change(screen.getByRole('textbox', { name: 'price (numeric(6,2))' }), { target: { value: 'x' } });
  fireEvent.click(screen.getByRole('button', { name: 'Insert' }));
  const field = await screen.findByRole('textbox', {
    name: 'price (numeric(6,2))',
    description: /Invalid input syntax/,
  });
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(bridge.callsOf('gateway.insertRow')).toEqual([
    { schema: 'public', table: 'things', values: { id: '#4', price: 'x' } },
  ]);
});

test('rows without a key are read-only, and say why', async () => {
  show({
    'gateway.rows': () => ({
      ...rows,
      key: [],
      readOnly: 'Rows are read-only: the table has no primary key.',
    }),
  });
  expect(await screen.findByText(/the table has no primary key/)).toBeTruthy();
  expect(screen.queryByRole('checkbox')).toBeNull();
  fireEvent.doubleClick(await cell('1.50'));
  expect(screen.getByRole('dialog', { name: 'price (numeric(6,2))' })).toBeTruthy();
});

test('SQL runs read-only by Ctrl+Enter, marks the error, and is stored in the history', async () => {
  const bridge = show(
    {
      'gateway.sql': ({ sql }) => {
        if (sql.includes('nope'))
          throw new AppError('bad_request', 'column "nope" does not exist', {
            details: { position: 10, line: 2, column: 3, hint: 'Perhaps you want "note".' },
          });
        return {
          results: [
            {
              columns: [{ name: 'n', type: 'integer' }],
              rows: [['1'], [null]],
              count: 5000,
              isCountCapped: false,
            },
          ],
          tookMs: 12,
        };
      },
    },
    '/gateway?view=sql',
  );
  const area = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'SQL' });
  fireEvent.change(area, { target: { value: 'select\n  nope' } });
  fireEvent.keyDown(area, { key: 'Enter', ctrlKey: true });
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Line 2, column 3: column "nope" does not exist');
  expect(alert.textContent).toContain('Perhaps you want "note".');
  expect(area.value.slice(area.selectionStart, area.selectionEnd)).toBe('nope');
  expect(bridge.callsOf('gateway.sql')[0]).toEqual({ sql: 'select\n  nope', isReadOnly: true, timeout: 30 });

  fireEvent.change(area, { target: { value: 'select n from numbers' } });
  fireEvent.click(screen.getByRole('switch', { name: 'Read-only' }));
  fireEvent.click(screen.getByRole('button', { name: 'Run' }));
  expect(await screen.findByText(/First 2 of 5,000 rows/)).toBeTruthy();
  expect(bridge.callsOf('gateway.sql')[1]).toMatchObject({ isReadOnly: false });
  fireEvent.click(screen.getByRole('button', { name: 'History' }));
  fireEvent.click(screen.getByRole('button', { name: /nope/ }));
  expect(area.value).toBe('select\n  nope');
});
