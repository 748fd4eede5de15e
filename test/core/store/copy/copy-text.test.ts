import { expect, it } from 'vitest';
import type { SqlValue } from '../../../../core/store/database/database.ts';
import { CopyClient } from '../../../../core/store/copy/copy-client.ts';
import { type ColumnKind, formatRow, parseRow } from '../../../../core/store/copy/copy-text.ts';
import { openServerDatabase, prepareServerDatabase } from '../../../../core/store/open-store.ts';
import { readPostgresUrl } from '../../../../core/store/postgres/open-postgres.ts';
import { describeOnServers, newSchemaUrl } from '../../../harness/databases.ts';

const kinds: ColumnKind[] = ['integer', 'real', 'text', 'blob', 'list'];
const reals = [0.1, 1e-4, 1.5e-5, 123456.789, 1e14 + 0.5, 1.2345e15 + 0.25, -2.5e-300, 1.7e308 / 3, null];
const texts = [
  '',
  'a\tb\nc\\d\re\bf\fg\vh',
  String.raw`\N`,
  '\u0001\u007F„😀',
  'a\0b\uE000c',
  '\uE0000',
  null,
];
const lists = [[], [''], ['null', 'NULL', 'a=1'], ['b c', 'd,e', '{f}', '"g"', String.raw`h\i`], ['j\tk\0']];

const rows: SqlValue[][] = Array.from({ length: 9 }, (_, index) => [
  index === 0 ? null : (index - 4) * 1_700_000_000_123,
  reals[index] ?? null,
  texts[index] ?? null,
  index % 3 === 0 ? null : Buffer.from([0, 255, index, 92]),
  lists[index] === undefined ? null : JSON.stringify(lists[index]),
]);

describeOnServers('rows in the text format of COPY', (server) => {
  it('are read as they were written, and written by PostgreSQL in the same way', async () => {
    const url = newSchemaUrl(server());
    const database = openServerDatabase(url);
    await database.perform(() =>
      database.execute(
        'CREATE TABLE odd (i bigint, r double precision, t text COLLATE "C", b bytea, l text[], n serial PRIMARY KEY)',
      ),
    );
    const client = await CopyClient.connect(readPostgresUrl(url));
    const lines = rows.map((row) => formatRow(row, kinds));
    const send = async function* () {
      await Promise.resolve();
      for (const line of lines) yield { data: Buffer.from(line), rows: 1 };
    };
    await client.copyIn('COPY odd (i, r, t, b, l) FROM STDIN', send());
    const received: string[] = [];
    for await (const { data } of client.copyOut('COPY (SELECT i, r, t, b, l FROM odd ORDER BY n) TO STDOUT'))
      received.push(data.toString());
    expect(received.join('')).toBe(lines.join(''));
    expect(lines.map((line) => parseRow(line.slice(0, -1), kinds))).toEqual(rows);
    // Other statements read the same strings.
    expect(
      (await database.perform(() => database.all('SELECT t FROM odd ORDER BY n'))).map(({ t }) => t),
    ).toEqual(rows.map(([, , text]) => text));
    await client.close();
    database.close();
  });

  it('are rejected with the error of the server, and the connection can be used again', async () => {
    const url = newSchemaUrl(server());
    await prepareServerDatabase(url);
    const client = await CopyClient.connect(readPostgresUrl(url));
    const send = async function* () {
      await Promise.resolve();
      yield { data: Buffer.from('not a number\n'), rows: 1 };
    };
    await expect(client.copyIn('COPY run_outcome_progress (key) FROM STDIN', send())).rejects.toThrow(
      'invalid input syntax for type bigint',
    );
    expect(await client.all('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await client.close();
  });
});
