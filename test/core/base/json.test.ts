import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonIssue, formatJsonIssue } from '../../../core/base/json.ts';
import { propertyRuns } from '../../harness/fuzzing.ts';

const notify = (text: string): string | undefined => {
  const fault = findJsonIssue(text);
  return fault && formatJsonIssue(fault);
};

test.each([
  ['', 'line 1, column 1: expected a value, but the input ends'],
  ['{"a":', 'line 1, column 6: expected a value, but the input ends'],
  ['{"a": 1,}', 'line 1, column 9: expected a name in double quotes, not "}"'],
  ["{'a': 1}", `line 1, column 2: expected a value or a name in double quotes, not "'a'"`],
  [
    '{\n  "a": 1\n  "b": 2\n}',
    'line 3, column 3: expected a comma or the end of the list or object, not "\\"b\\""',
  ],
  ['{"a" 1}', 'line 1, column 6: expected a colon, not "1"'],
  ['{"a": tru}', 'line 1, column 7: expected a value or a name in double quotes, not "tru"'],
  ['{"a": NaN}', 'line 1, column 7: expected a value or a name in double quotes, not "NaN"'],
  ['{"a": 007}', 'line 1, column 8: expected a comma or the end of the list or object, not "0"'],
  ['{"a": 1.}', 'line 1, column 7: expected a number that ends with a digit, not "1."'],
  ['[1, // one', 'line 1, column 5: expected JSON without comments, not "// one"'],
  ['[1 2]', 'line 1, column 4: expected a comma or the end of the list or object, not "2"'],
  ['[,]', 'line 1, column 2: expected a value, not ","'],
  ['[1}', 'line 1, column 3: expected a comma or the end of the list or object, not "}"'],
  ['{} {}', 'line 1, column 4: expected the end of the input, not "{"'],
  ['"abc', 'line 1, column 1: unclosed double quote on this line; write \\n for a line break'],
  ['"a\\x"', 'line 1, column 1: invalid escape sequence; write \\\\ for a backslash'],
  [String.raw`"\u00g0"`, String.raw`line 1, column 1: \u must be followed by four hexadecimal digits`],
  ['"a\nb"', 'line 1, column 1: unclosed double quote on this line; write \\n for a line break'],
  ['"a\tb"', 'line 1, column 1: control character in a string; write \\t or \\u0000'],
  ['\uFEFF[', 'line 1, column 3: expected a comma or the end of the list or object, but the input ends'],
])('reports the first error of %j with its position', (text, words) => {
  expect(notify(text)).toContain(words);
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('reports an error exactly when JSON.parse does', () => {
  const json = fc.json();
  const damaged = fc
    .tuple(
      json,
      fc.nat(),
      fc.nat(3),
      fc.constantFrom('', ',', '"', '}', '[', ':', '\\', '0', '.', 'e', '\n', ' '),
    )
    .map(([text, at, length, put]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + put + text.slice(start + length);
    });
  fc.assert(
    fc.property(fc.oneof(json, damaged), (text) => {
      expect(findJsonIssue(text) === undefined).toBe(isJson(text));
    }),
    { seed: 7, numRuns: propertyRuns(2_000) },
  );
});

test('handles long strings and deep nesting', () => {
  expect(notify(`{"a": "${'\\n'.repeat(4_000_000)}", }`)).toContain(
    'line 1, column 8000011: expected a name in double quotes, not "}"',
  );
  expect(findJsonIssue('['.repeat(200_000))).toBeUndefined();
});
