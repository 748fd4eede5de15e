import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { GatewayCatalogView } from '../../../../core/contract/gateway.ts';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import { ImportButton } from '../../../../renderer/features/gateway/import-dialog.tsx';
import { readFilter } from '../../../../renderer/features/gateway/cell.tsx';
import { readHead } from '../../../../renderer/features/gateway/import-file.ts';
import { formatCsv } from '../../../../renderer/features/gateway/sql-result.tsx';
import { FakeBridge, makeCurrentUser, renderWith } from '../../renderer-harness.tsx';

const catalog: GatewayCatalogView = {
  schemas: ['public'],
  readAt: '2026-01-01T00:00:00.000Z',
  version: '18.6',
  functions: [],
  domains: [],
  tables: [
    {
      schema: 'public',
      name: 'cities',
      kind: 'table',
      isInsertable: true,
      isUpdatable: true,
      isDeletable: true,
      related: [],
      columns: ['City', 'size'].map((name) => ({
        name,
        type: 'text',
        baseType: 'text',
        isNullable: true,
        isGenerated: false,
        isKey: false,
      })),
    },
  ],
};

function show(
  finish: (input: OperationInput<'gateway.finishImport'>) => {
    rows: number;
    errors: [] | [{ line: number; message: string }];
  },
) {
  const bridge = new FakeBridge({
    'auth.me': () => makeCurrentUser('ann', 'manager'),
    'gateway.catalog': () => catalog,
    'gateway.reload': () => catalog,
    'gateway.createImport': () => ({ importId: 'import-1' }),
    'gateway.addImportRows': () => ({}),
    'gateway.cancelImport': () => ({}),
    'gateway.finishImport': finish,
  });
  renderWith(bridge, <ImportButton />);
  return bridge;
}

async function choose(text: string): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: 'New table from CSV…' }));
  const file = new File([text], 'My Cities.csv', { type: 'text/csv' });
  fireEvent.change(screen.getByLabelText('CSV file'), { target: { files: [file] } });
  await screen.findByText('First line is a header');
}

test('a file becomes a table with detected types, and again with others after a rejection', async () => {
  const bridge = show(({ columns }) =>
    columns[1]?.type === 'integer'
      ? { rows: 0, errors: [{ line: 3, message: 'invalid input syntax' }] }
      : { rows: 2, errors: [] },
  );
  await choose('City;Size (km)\nBern;51\n"Basel; old";24\n');
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Delimiter' }).value).toBe(';');
  expect(screen.getByText('Basel; old')).toBeTruthy();
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Type of size_km' }).value).toBe('integer');
  fireEvent.click(screen.getByRole('button', { name: 'Import' }));
  expect(await screen.findByText('Line 3: invalid input syntax')).toBeTruthy();
  fireEvent.change(screen.getByRole('combobox', { name: 'Type of size_km' }), { target: { value: 'text' } });
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Imported 2 rows into my_cities.')).toBeTruthy();
  // The file was sent once.
  expect(bridge.callsOf('gateway.addImportRows')).toEqual([
    {
      importId: 'import-1',
      rows: [
        { line: 2, values: ['Bern', '51'] },
        { line: 3, values: ['Basel; old', '24'] },
      ],
    },
  ]);
  expect(bridge.callsOf('gateway.finishImport').at(-1)).toEqual({
    importId: 'import-1',
    schema: 'public',
    table: 'my_cities',
    isNew: true,
    key: 'id',
    columns: [
      { source: 0, name: 'city', type: 'text' },
      { source: 1, name: 'size_km', type: 'text' },
    ],
  });
});

test('columns are mapped to those of a table, and broken lines are left out only if asked for', async () => {
  const bridge = show(() => ({ rows: 1, errors: [] }));
  await choose('city,other\nBern,1\nBasel\n');
  fireEvent.change(await screen.findByRole('combobox', { name: 'Import into' }), {
    target: { value: 'public.cities' },
  });
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Target of other' }).value).toBe('');
  fireEvent.click(screen.getByRole('button', { name: 'Import' }));
  expect(await screen.findByText('Line 3: 1 value instead of 2')).toBeTruthy();
  expect(bridge.callsOf('gateway.finishImport')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Import without these lines' }));
  await waitFor(() =>
    expect(bridge.callsOf('gateway.finishImport')).toEqual([
      { importId: 'import-1', schema: 'public', table: 'cities', columns: [{ source: 0, name: 'City' }] },
    ]),
  );
});

test('closing the dialog removes what was sent', async () => {
  const bridge = show(() => ({ rows: 0, errors: [{ line: 2, message: 'no' }] }));
  await choose('city\nBern\n');
  fireEvent.click(screen.getByRole('button', { name: 'Import' }));
  await screen.findByText('Line 2: no');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(bridge.callsOf('gateway.cancelImport')).toEqual([{ importId: 'import-1' }]));
});

test('the encoding of files from Excel is detected', async () => {
  const latin = new File([new Uint8Array([0x5a, 0xfc, 0x72, 0x69, 0x63, 0x68])], 'a.csv');
  expect(await readHead(latin)).toMatchObject({ encoding: 'windows-1252', text: 'Zürich' });
  const wide = new File([new Uint8Array([0xff, 0xfe, 0x61, 0x00, 0x3b, 0x00, 0x62, 0x00])], 'a.csv');
  expect(await readHead(wide)).toMatchObject({ text: 'a;b', delimiter: ';' });
});

test('filters and downloads are written as people expect', () => {
  expect(readFilter('a', ' not null ')).toEqual({ column: 'a', operator: 'isNotNull' });
  expect(readFilter('a', '!= 5')).toEqual({ column: 'a', operator: 'neq', value: '5' });
  expect(readFilter('a', 'Bern')).toEqual({ column: 'a', operator: 'contains', value: 'Bern' });
  expect(readFilter('a', ' ')).toBeUndefined();
  const columns = [
    { name: 'a', type: 'text' },
    { name: 'b', type: 'text' },
  ];
  const rows = [
    ['x,"y"', null],
    ['', 'z'],
  ];
  expect(formatCsv({ columns, rows, count: 2, isCountCapped: false })).toBe('a,b\r\n"x,""y""",\r\n"",z\r\n');
});
