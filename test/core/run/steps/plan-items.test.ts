import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkItems, itemParams, itemText, splitItems } from '../../../../core/run/steps/plan-items.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

describe('items of an expression', () => {
  test.each([
    ['', []],
    [' \n\t ', []],
    ['one', ['one']],
    ['a b  c', ['a', 'b', 'c']],
    ['a,b , c', ['a', 'b', 'c']],
    ['a;b c;d', ['a', 'b c', 'd']],
    ['a|b,c|d', ['a', 'b,c', 'd']],
    ['a\tb c\td', ['a', 'b c', 'd']],
    ['a|b,c', ['a', 'b,c']],
    ['a,b,c|d', ['a', 'b', 'c|d']],
    ['a,,b,', ['a', 'b']],
    ['one two\nthree, four\r\n\n five ', ['one two', 'three, four', 'five']],
    ['"a b" c \'d e\'', ['a b', 'c', 'd e']],
    ['"a \\"b\\"" ""', ['a "b"', '']],
    ["it's, that's", ["it's", "that's"]],
    ['5" 6"', ['5"', '6"']],
    ['[]', []],
    [
      '[1, "a b", true, null, 12345678901234567890, 1.10]',
      ['1', 'a b', 'true', '', '12345678901234567890', '1.10'],
    ],
    ['[["a", {"b": 1.0}], []]', ['["a",{"b":1.0}]', '[]']],
    [
      '[{"REGION": "eu", "N": 2, "ON": false, "NONE": null, "IN": {"a": [1]}}]',
      [{ REGION: 'eu', N: '2', ON: 'false', NONE: '', IN: '{"a":[1]}' }],
    ],
    ['{"a": 1}\n\n{"a": 2}\r\n', [{ a: '1' }, { a: '2' }]],
    ['{\n  "a": 1\n}', [{ a: '1' }]],
    ['{"a": 1}\nnot JSON', ['{"a": 1}', 'not JSON']],
    ['{"a": 1}\n[2]', ['{"a": 1}', '[2]']],
    ['[1, 2', ['[1', '2']],
    ['[a b]', ['[a', 'b]']],
  ])('%j', (text, items) => {
    expect(splitItems(text)).toEqual(items);
  });

  test('keep every key of an object', () => {
    const [item] = splitItems('[{"__proto__": "x", "constructor": 1}]');
    expect(itemText(item!)).toBe('{"__proto__":"x","constructor":"1"}');
  });

  const word = fc.stringMatching(/^[\p{L}0-9_./-]{1,12}$/u);
  const separators = fc.constantFrom(',', ', ', '\n', '\r\n', '\t', '|', ';', ' ');

  test('are the words that were joined', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 50 }), separators, (words, separator) => {
        expect(splitItems(words.join(separator))).toEqual(words);
      }),
      { seed: 7, numRuns: propertyRuns(500) },
    );
  });

  test('are the strings of a JSON list', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (texts) => {
        expect(splitItems(JSON.stringify(texts))).toEqual(texts);
      }),
      { seed: 8, numRuns: propertyRuns(500) },
    );
  });

  test('can be parsed from any text', () => {
    const piece = fc.constantFrom(
      '"',
      "'",
      '\\',
      '[',
      ']',
      '{',
      '}',
      ':',
      ',',
      ' ',
      '\n',
      '|',
      '1',
      'a',
      '\ud800',
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 60 }).map((all) => all.join('')),
      fc.string(),
      fc.json(),
    );
    fc.assert(
      fc.property(text, (value) => {
        for (const item of splitItems(value)) expect(typeof itemText(item)).toBe('string');
      }),
      { seed: 9, numRuns: propertyRuns(3000) },
    );
  });

  test.each([
    ['brackets', '['.repeat(1_000_000)],
    ['nested lists', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
    ['nested lists of a readable depth', `${'['.repeat(3000)}${']'.repeat(3000)}`],
    ['double quotes', '" '.repeat(500_001)],
    ['escaped quotes', '"\\" '.repeat(300_001)],
    ['quotes inside words', '"a"b '.repeat(200_000)],
    ['backslashes', `"${'\\'.repeat(1_000_001)}`],
    ['one word', 'x'.repeat(4_000_000)],
    ['spaces', `a${' '.repeat(2_000_000)}b`],
  ])(
    'take linear time for many %s',
    (_name, text) => {
      expect(splitItems(text).length).toBeGreaterThan(0);
    },
    10_000,
  );
});

describe('number of items', () => {
  test.each([
    [0, 'parallel has no items. Add at least one item, or skip the step with a precondition'],
    [1, undefined],
    [1000, undefined],
    [
      1001,
      'parallel has too many items: 1,001 items, the limit is 1,000. Combine items, or use several steps',
    ],
  ])('%i', (count, message) => {
    expect(checkItems(Array.from({ length: count }, String))).toBe(message);
  });
});

describe('item', () => {
  test('as text is itself, or compact JSON', () => {
    expect(itemText('a b')).toBe('a b');
    expect(itemText({ REGION: 'eu', N: '2' })).toBe('{"REGION":"eu","N":"2"}');
  });

  test('provides parameters', () => {
    expect(itemParams({ REGION: 'far south', N: '2' })).toEqual([
      { name: 'REGION', value: 'far south' },
      { name: 'N', value: '2' },
    ]);
    expect(itemParams('eu REGION="far south"')).toEqual([
      { name: '1', value: 'eu' },
      { name: 'REGION', value: 'far south' },
    ]);
    expect(itemParams('')).toEqual([]);
  });
});
