import { describe, expect, it } from 'vitest';
import { readBody, readCallBody } from '../../../../core/gateway/query/read-body.ts';
import { thrownBy } from '../thrown-by.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const FORM = 'application/x-www-form-urlencoded';

describe('JSON body', () => {
  it.each([
    ['{"a":12345678901234567890.10,"b":{"x":[1,"}]"]}}', false, ['a', 'b'], 1],
    ['[{"a":1,"b":"\\"{"},{"b":2,"a":[{}]}]', true, ['a', 'b'], 2],
    [' [ { "a\\u0062" : 1 } ,\n{"ab":"\\\\"} ] ', true, ['ab'], 2],
    ['{}', false, [], 1],
    ['[]', true, [], 0],
    ['[{},{}]', true, [], 2],
    ['{"__proto__":1,"":null}', false, ['__proto__', ''], 1],
  ])('keeps its text: %s', (json, isArray, keys, count) => {
    expect(readBody(bytes(json), undefined)).toEqual({ json, isArray, keys, count });
    expect(readBody(bytes(json), 'application/json; charset=utf-8')).toEqual({ json, isArray, keys, count });
  });

  it('can start with a byte order mark', () => {
    expect(readBody(bytes('\uFEFF{"a":1}'), undefined)).toMatchObject({ json: '{"a":1}', keys: ['a'] });
  });

  it.each([
    ['', 'Empty or invalid json'],
    ['{"a":', 'Empty or invalid json'],
    ['{"a":1}{', 'Empty or invalid json'],
    ['5', 'The body must be a JSON object or an array of JSON objects'],
    ['null', 'The body must be a JSON object or an array of JSON objects'],
    ['[{"a":1},3]', 'All object keys must match'],
    ['[{"a":1},{"b":1}]', 'All object keys must match'],
    ['[{"a":1},{"a":1,"b":1}]', 'All object keys must match'],
    ['[{"a":1,"b":1},{"a":1}]', 'All object keys must match'],
    ['{"a":1,"b":2,"\\u0061":3}', 'Duplicate key in an object'],
    ['[{"a":1,"b":1},{"a":1,"a":1}]', 'Duplicate key in an object'],
    [`{"a":${'['.repeat(1_001)}${']'.repeat(1_001)}}`, 'The JSON is nested more than 1000 levels deep'],
  ])('is rejected: %s', (json, message) => {
    expect(thrownBy(() => readBody(bytes(json), undefined))).toMatchObject({
      status: 400,
      code: 'PGRST102',
      message,
    });
  });

  it('is rejected with the key and object that differ', () => {
    expect(thrownBy(() => readBody(bytes('[{"a":1},{"a":1},{"a":1,"b":1}]'), undefined))).toMatchObject({
      details: 'Only some objects have the key "b": object 3 of 3 differs from the first.',
      hint: 'Select the columns to write with columns=.',
    });
  });

  it('needs no equal keys where columns are named', () => {
    const json = '[{"a":1},{"b":1,"b":2}]';
    expect(readBody(bytes(json), undefined, ['a'])).toEqual({ json, isArray: true, keys: ['a'], count: 2 });
    expect(thrownBy(() => readBody(bytes('[1'), undefined, ['a'])).code).toBe('PGRST102');
  });
});

describe('CSV body', () => {
  it('becomes strings, and null for an unquoted NULL', () => {
    const text = 'id,"the name"\r\n1,NULL\r\n"NULL","x ""y"",\nz"\r\n\r\n,\r\n';
    expect(readBody(bytes(text), 'text/csv')).toEqual({
      json: '[{"id":"1","the name":null},{"id":"NULL","the name":"x \\"y\\",\\nz"},{"id":"","the name":""}]',
      isArray: true,
      keys: ['id', 'the name'],
      count: 3,
    });
  });

  it('can have no rows', () => {
    expect(readBody(bytes('a,b\n'), 'text/csv')).toEqual({
      json: '[]',
      isArray: true,
      keys: ['a', 'b'],
      count: 0,
    });
  });

  it.each([
    ['a,b\n1\n', 'All lines must have same number of fields'],
    ['a,b\n1,2,3\n', 'All lines must have same number of fields'],
    ['a,b\n1,"x', 'Empty or invalid csv'],
    ['a,a\n1,2', 'Empty or invalid csv'],
    ['', 'Empty or invalid csv'],
  ])('is rejected: %j', (text, message) => {
    expect(thrownBy(() => readBody(bytes(text), 'text/csv'))).toMatchObject({ code: 'PGRST102', message });
  });
});

describe('form body', () => {
  it('becomes one object of strings', () => {
    expect(readBody(bytes('a=1&b=x+y%21&c='), FORM)).toEqual({
      json: '{"a":"1","b":"x y!","c":""}',
      isArray: false,
      keys: ['a', 'b', 'c'],
      count: 1,
    });
  });

  it('is rejected with a duplicate field', () => {
    expect(thrownBy(() => readBody(bytes('a=1&a=2'), FORM))).toMatchObject({
      code: 'PGRST102',
      details: '"a"',
    });
  });
});

describe('other body', () => {
  it('is rejected by its type', () => {
    expect(thrownBy(() => readBody(bytes('x'), 'image/png'))).toMatchObject({
      code: 'PGRST102',
      message: 'Content-Type not acceptable: image/png',
    });
  });

  it('is rejected when it is not UTF-8', () => {
    expect(thrownBy(() => readBody(new Uint8Array([0xff]), undefined)).message).toBe(
      'The body is not valid UTF-8',
    );
  });
});

describe('body of a call', () => {
  it('is {} when it is empty', () => {
    expect(readCallBody(bytes(' '), undefined)).toMatchObject({
      mediaType: 'json',
      text: '{}',
      object: { keys: [] },
    });
  });

  it('can be any JSON', () => {
    expect(readCallBody(bytes('[1,{"a":2}]'), 'application/json')).toEqual({
      mediaType: 'json',
      text: '[1,{"a":2}]',
    });
    expect(readCallBody(bytes('1.50'), 'application/json')).toEqual({ mediaType: 'json', text: '1.50' });
    expect(readCallBody(bytes('{"a":1}'), 'application/json')).toMatchObject({
      object: { keys: ['a'], count: 1 },
    });
  });

  it('can be text, XML, bytes, CSV or a form', () => {
    expect(readCallBody(bytes('hi'), 'text/plain')).toEqual({ mediaType: 'text', text: 'hi' });
    expect(readCallBody(bytes('<a/>'), 'text/xml')).toEqual({ mediaType: 'xml', text: '<a/>' });
    expect(readCallBody(new Uint8Array([0, 255]), 'application/octet-stream')).toEqual({
      mediaType: 'bytes',
      text: '\\x00ff',
    });
    expect(readCallBody(bytes('a=1'), FORM)).toMatchObject({ mediaType: 'json', text: '{"a":"1"}' });
    expect(readCallBody(bytes('a\n1\n'), 'text/csv')).toMatchObject({
      text: '[{"a":"1"}]',
      object: { isArray: true },
    });
  });

  it.each([
    ['{"a":1,"a":2}', 'application/json'],
    ['{', 'application/json'],
    ['a\0b', 'text/plain'],
    ['x', 'image/png'],
  ])('is rejected: %j as %s', (text, type) => {
    expect(thrownBy(() => readCallBody(bytes(text), type)).code).toBe('PGRST102');
  });
});
