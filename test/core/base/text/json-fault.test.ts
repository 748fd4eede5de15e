import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonFault, formatJsonFault } from '../../../../core/base/text/json-fault.ts';
import { propertyRuns } from '../../../rig/fuzzing.ts';

const tell = (text: string): string | undefined => {
  const fault = findJsonFault(text);
  return fault && formatJsonFault(fault);
};

test.each([
  ['', 'line 1, column 1: a value is expected, but the text ends'],
  ['{"a":', 'line 1, column 6: a value is expected, but the text ends'],
  ['{"a": 1,}', 'line 1, column 9: a name in double quotes is expected, not "}"'],
  ["{'a': 1}", `line 1, column 2: a value or a name in double quotes is expected, not "'a'"`],
  [
    '{\n  "a": 1\n  "b": 2\n}',
    'line 3, column 3: a comma or the end of the list or object is expected, not "\\"b\\""',
  ],
  ['{"a" 1}', 'line 1, column 6: a colon is expected, not "1"'],
  ['{"a": tru}', 'line 1, column 7: a value or a name in double quotes is expected, not "tru"'],
  ['{"a": NaN}', 'line 1, column 7: a value or a name in double quotes is expected, not "NaN"'],
  ['{"a": 007}', 'line 1, column 8: a comma or the end of the list or object is expected, not "0"'],
  ['{"a": 1.}', 'line 1, column 7: a number that ends with a digit is expected, not "1."'],
  ['[1, // one', 'line 1, column 5: JSON without comments is expected, not "// one"'],
  ['[1 2]', 'line 1, column 4: a comma or the end of the list or object is expected, not "2"'],
  ['[,]', 'line 1, column 2: a value is expected, not ","'],
  ['[1}', 'line 1, column 3: a comma or the end of the list or object is expected, not "}"'],
  ['{} {}', 'line 1, column 4: nothing more is expected, not "{"'],
  ['"abc', 'line 1, column 1: a text lacks its closing double quote on this line'],
  ['"a\\x"', 'line 1, column 1: a text holds a backslash that begins no escape'],
  [String.raw`"\u00g0"`, String.raw`line 1, column 1: a text holds \u without four hexadecimal digits`],
  ['"a\nb"', 'line 1, column 1: a text lacks its closing double quote on this line'],
  ['"a\tb"', 'line 1, column 1: a text holds a tab or another control character'],
  ['\uFEFF[', 'line 1, column 3: a comma or the end of the list or object is expected, but the text ends'],
])('the first fault of %j is told with its place', (text, words) => {
  expect(tell(text)).toContain(words);
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('a text has a fault exactly when JavaScript does not read it', () => {
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
      expect(findJsonFault(text) === undefined).toBe(isJson(text));
    }),
    { seed: 7, numRuns: propertyRuns(2_000) },
  );
});

test('a long text in it, and deep nesting, are got past', () => {
  expect(tell(`{"a": "${'\\n'.repeat(4_000_000)}", }`)).toContain('a name in double quotes is expected');
  expect(findJsonFault('['.repeat(200_000))).toBeUndefined();
});
