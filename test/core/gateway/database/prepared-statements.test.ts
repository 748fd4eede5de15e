import { expect, test } from 'vitest';
import type { Statement } from '../../../../core/gateway/database/database.ts';
import { PreparedStatements } from '../../../../core/gateway/database/prepared-statements.ts';

const ask = (text: string): Statement => ({ text, values: ['1'] });

test('a statement is read once for a session, whatever its values; one without values every time', () => {
  const prepared = new PreparedStatements({ isKept: true });
  const first = prepared.begin([{ text: 'BEGIN', values: [] }, ask('a'), ask('a'), ask('b')]);
  expect(first.uses).toEqual([
    { name: '', isNew: true },
    { name: 's1', isNew: true },
    { name: 's1', isNew: false },
    { name: 's2', isNew: true },
  ]);
  first.settle(true);
  expect(prepared.begin([ask('b'), ask('a')]).uses).toEqual([
    { name: 's2', isNew: false },
    { name: 's1', isNew: false },
  ]);
});

test('what a failed batch may have left is closed before the next one', () => {
  const prepared = new PreparedStatements({ isKept: true });
  prepared.begin([ask('a'), ask('b')]).settle(false);
  const next = prepared.begin([ask('a')]);
  expect(next).toMatchObject({ closes: ['s1', 's2'], uses: [{ name: 's3', isNew: true }] });
  next.settle(true);
  expect(prepared.begin([]).closes).toEqual([]);
});

test('the session keeps a bounded number: those that were used last', () => {
  const prepared = new PreparedStatements({ isKept: true });
  for (let number = 1; number <= 200; number += 1) prepared.begin([ask(`q${number}`)]).settle(true);
  prepared.begin([ask('q1')]).settle(true);
  prepared.begin([ask('one more')]).settle(true);
  const next = prepared.begin([ask('q1'), ask('q2')]);
  expect(next).toMatchObject({ closes: ['s2'], uses: [{ name: 's1', isNew: false }, { isNew: true }] });
});

test('nothing is kept where the session may be another one the next time', () => {
  const prepared = new PreparedStatements({ isKept: false });
  prepared.begin([ask('a')]).settle(true);
  expect(prepared.begin([ask('a')])).toMatchObject({ closes: [], uses: [{ name: '', isNew: true }] });
});
