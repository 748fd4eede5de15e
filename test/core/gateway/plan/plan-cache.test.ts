import { expect, test } from 'vitest';
import type { Column, Relation } from '../../../../core/gateway/catalog/catalog.ts';
import { StoredCatalog } from '../../../../core/gateway/catalog/stored-catalog.ts';
import type { Statement } from '../../../../core/store/sql/database.ts';
import { planInsertCached, planReadCached } from '../../../../core/gateway/plan/plan-read.ts';
import type { PlanRequest } from '../../../../core/gateway/plan/request.ts';
import { readShape, toBody } from '../../../../core/gateway/query/read-body.ts';
import { parseQuery } from '../../../../core/gateway/query/parse-query.ts';

const column = (name: string): Column => ({
  name,
  typeSql: 'text',
  baseTypeSql: 'text',
  isNullable: true,
  defaultSql: null,
  isGenerated: false,
  maxLength: null,
  enumValues: [],
  comment: null,
  comparedAs: null,
});

const relation: Relation = {
  schema: 'public',
  name: 'words',
  kind: 'table',
  columns: ['id', 'word'].map(column),
  primaryKey: ['id'],
  uniqueKeys: [],
  isInsertable: true,
  isUpdatable: true,
  isDeletable: true,
  comment: null,
};

const makeCatalog = (): StoredCatalog =>
  new StoredCatalog({
    schemas: ['public'],
    serverVersion: '18',
    readAt: 0,
    relations: [relation],
    representations: [],
    relationships: [],
    routines: [],
    computedColumns: new Map(),
    types: new Map(),
    roles: [],
    roleSettings: new Map(),
  });

const catalog = makeCatalog();

const ask = (query: string, changes: Partial<PlanRequest> = {}): PlanRequest => ({
  catalog,
  settings: { allowsAggregates: false, allowsUnfiltered: false },
  query: parseQuery(query),
  preferences: {},
  format: { kind: 'array', stripsNulls: false },
  ...changes,
});

const read = (query: string, changes: Partial<PlanRequest> = {}): Statement =>
  planReadCached({ ...ask(query, changes), relation, withBody: true }).main;

const insert = (json: string): Statement =>
  planInsertCached({ ...ask(''), relation, body: toBody(json, readShape(json)) }).main;

test('requests that differ in compared values share their SQL, with their own values', () => {
  const [one, other] = [read('id=eq.1&word=gt.a'), read('id=eq.2&word=gt.b')];
  expect(other.text).toBe(one.text);
  expect([one.values, other.values]).toEqual([
    ['1', 'a'],
    ['2', 'b'],
  ]);
});

test('never confuses a value with another, or with a parameter number', () => {
  for (const values of [
    ['0', '1'],
    ['1', '0'],
    ['same', 'same'],
    ['', '$1'],
  ])
    expect(read(`id=eq.${values[0]}&word=lt.${values[1]}`).values).toEqual(values);
});

test.each([
  ['id=eq.1', 'id=neq.1'],
  ['id=eq.1', 'id=not.eq.1'],
  ['id=eq.1', 'word=eq.1'],
  ['id=eq.1', 'id=eq.1&limit=1'],
  ['id=is.null', 'id=is.true'],
  ['id=eq.1', 'id=eq.1&select=id'],
])('plans %s and %s separately', (one, other) => {
  expect(read(other).text).not.toBe(read(one).text);
  expect(read(one)).toEqual(read(one));
});

test.each(['word=like.a*', 'word=in.(a,b)', 'or=(id.eq.1,id.eq.2)', 'word=eq(any).{a,b}', 'limit=3'])(
  'takes values of %s from the request',
  (query) => {
    const numbers = read(query).values;
    const letters = read(query.replaceAll(/[a-c](?=[,}*)])|[1-3]/g, '7')).values;
    expect(letters).not.toEqual(numbers);
    expect(read(query).values).toEqual(numbers);
  },
);

test('format, preferences, settings and catalog have separate plans', () => {
  const text = read('id=eq.1').text;
  expect(read('id=eq.1', { format: { kind: 'csv' } }).text).not.toBe(text);
  expect(read('id=eq.1', { preferences: { count: 'exact' } }).text).not.toBe(text);
  const settings = { allowsAggregates: false, allowsUnfiltered: false, maxRows: 5 };
  expect(read('id=eq.1', { settings }).text).not.toBe(text);
  expect(read('id=eq.1', { catalog: makeCatalog() }).text).toBe(text);
});

test('bodies with the same keys share their SQL, each bound unchanged', () => {
  const [one, other] = ['{"id":"1","word":"a"}', '{"id":"2","word":"b"}'].map(insert);
  expect(other!.text).toBe(one!.text);
  expect([one!.values, other!.values]).toEqual([['{"id":"1","word":"a"}'], ['{"id":"2","word":"b"}']]);
  expect(insert('{"id":"1"}').text).not.toBe(one!.text);
  expect(insert('[{"id":"1","word":"a"}]').text).not.toBe(one!.text);
  expect([insert('{}').values, insert('[{},{}]').values]).toEqual([['1'], ['2']]);
});

test('errors refer to the request itself', () => {
  for (const _ of [1, 2]) {
    expect(() => read('id=eq.1&word->>a=eq.2&select=nothing(id)')).toThrow(/nothing/);
    expect(() => insert('{"nothing":1}')).toThrow(/'nothing'/);
  }
});
