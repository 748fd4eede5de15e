import { describe, expect, test } from 'vitest';
import { bytesToRead, getFileKind } from '../../../../renderer/features/files/file-kind.ts';
import { parseFile, type ParseTask } from '../../../../renderer/features/files/parse-file.ts';

const parse = (kind: ParseTask['kind'], text: string, isPartial = false) =>
  parseFile({ kind, bytes: new TextEncoder().encode(text), isPartial });

test('the kind of a file follows from its name', () => {
  expect(
    ['a.JSON', 'b.jsonl', 'c.tsv', 'd.md', 'e.htm', 'f.svg', 'g.pdf', 'Makefile'].map(getFileKind),
  ).toEqual(['json', 'lines', 'csv', 'markdown', 'html', 'image', 'pdf', 'text']);
});

test('reads a large table in part, and a large JSON file not at all', () => {
  expect(bytesToRead('csv', 900_000_000)).toBe(50_000_000);
  expect(bytesToRead('json', 900_000_000)).toBeUndefined();
  expect(bytesToRead('json', 1_000)).toBe(1_000);
});

describe('CSV', () => {
  test('quotes, line breaks in values and Windows line ends', () => {
    expect(parse('csv', '\uFEFFname,note\r\nann,"says ""hi"",\r\ntwice"\r\nbob,\r\n')).toEqual({
      ...{ kind: 'table', columns: ['name', 'note'], count: 2, problems: [], problemCount: 0 },
      rows: [
        { line: 2, values: ['ann', 'says "hi",\r\ntwice'] },
        { line: 4, values: ['bob', ''] },
      ],
    });
  });

  test('detects the delimiter', () => {
    expect(parse('csv', 'a;"b,c,d"\n1;2\n')).toMatchObject({
      columns: ['a', 'b,c,d'],
      rows: [{ values: ['1', '2'] }],
    });
    expect(parse('csv', 'a\tb\n1\t2\n')).toMatchObject({ columns: ['a', 'b'] });
  });

  test('names broken lines and continues after them', () => {
    expect(parse('csv', 'a,b\n1\n"x"y,2\n"open,3\n4,5\n')).toEqual({
      ...{ kind: 'table', columns: ['a', 'b'], count: 4 },
      rows: [
        { line: 2, values: ['1'] },
        { line: 3, values: ['xy', '2'] },
        { line: 4, values: ['"open', '3'] },
        { line: 5, values: ['4', '5'] },
      ],
      problems: [
        { line: 2, message: '1 value, expected 2' },
        { line: 3, message: 'text after a closing quote' },
        { line: 4, message: 'unclosed quote' },
      ],
      problemCount: 3,
    });
  });

  test('keeps the first 1,000 rows and counts all', () => {
    const text = `id\n${Array.from({ length: 2_500 }, (_, index) => index).join('\n')}`;
    const table = parse('csv', text);
    expect(table).toMatchObject({ count: 2_500 });
    expect(table.kind === 'table' && table.rows).toHaveLength(1_000);
  });

  test('drops the incomplete last line of a part', () => {
    expect(parse('csv', 'a,b\n1,2\n3', true)).toMatchObject({ count: 1, problemCount: 0 });
  });
});

test('JSON lines have the columns of all rows, and broken ones are named', () => {
  expect(parse('lines', '{"a":1,"b":{"c":2}}\n\n{"a":\n{"d":"x"}\n7\n')).toEqual({
    ...{ kind: 'table', columns: ['a', 'b', 'd', 'value'], count: 3, problemCount: 1 },
    rows: [
      { line: 1, values: ['1', '{"c":2}', '', ''] },
      { line: 4, values: ['', '', 'x', ''] },
      { line: 5, values: ['', '', '', '7'] },
    ],
    problems: [{ line: 3, message: expect.stringContaining('column 6: expected a value') }],
  });
});

describe('JSON', () => {
  test('is a tree whose containers know their size', () => {
    expect(parse('json', '{"list":[1,"two",null]}')).toEqual({
      kind: 'json',
      root: {
        ...{ kind: 'object', size: 1 },
        entries: [
          [
            'list',
            {
              ...{ kind: 'list', size: 3 },
              entries: [
                ['0', { kind: 'value', type: 'number', text: '1' }],
                ['1', { kind: 'value', type: 'string', text: '"two"' }],
                ['2', { kind: 'value', type: 'null', text: 'null' }],
              ],
            },
          ],
        ],
      },
    });
  });

  test('a large list is cut, and its size stays', () => {
    const file = parse('json', JSON.stringify(Array.from({ length: 5_000 }, () => 0)));
    const root = file.kind === 'json' ? file.root : undefined;
    expect(root).toMatchObject({ kind: 'list', size: 5_000 });
    expect(root?.kind === 'list' && root.entries).toHaveLength(1_000);
  });

  test('an error names its line', () => {
    expect(parse('json', '{\n  "a": 1,\n  b\n}')).toMatchObject({
      kind: 'invalid',
      problem: { line: 3, message: expect.stringContaining('column 3') },
    });
  });
});

test('Markdown cannot contain HTML or links that run scripts', () => {
  const page = parse(
    'markdown',
    '# Hi\n\n<script>alert(1)</script> [x](javascript:alert(1)) <img onerror=x>',
  );
  const html = page.kind === 'page' ? page.html : '';
  expect(html).toContain('<h1>Hi</h1>');
  expect(html).toContain('&lt;script&gt;');
  expect(html).not.toMatch(/<script|<img|href="javascript/);
});

test('data with NUL bytes is not text', () => {
  expect(parse('text', 'a\0b')).toEqual({ kind: 'binary' });
});
