import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitWords } from '../../../core/spec/split-words.ts';
import { propertyRuns } from '../../harness/fuzzing.ts';

it.each([
  ['', []],
  ['   ', []],
  ['bash -e', ['bash', '-e']],
  ['  bash\t-e\n-u ', ['bash', '-e', '-u']],
  ['"C:\\\\Program Files\\\\sh.exe" -c', ['C:\\Program Files\\sh.exe', '-c']],
  ["nix-shell -p 'a b'", ['nix-shell', '-p', 'a b']],
  ['--opt="a b"', ['--opt=a b']],
  ['say \\"hi', ['say', '\\"hi']],
  ['"say \\"hi\\""', ['say "hi"']],
  ['""', ['']],
  ["it's open", ["it's", 'open']],
  ['"open', ['"open']],
])('splits %j into %j', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

/** The grammar of words as regular expressions, which take quadratic time on text of open quotes. */
function splitByPattern(text: string): string[] {
  const pattern = /(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\]|["'\\])+/gs;
  return [...text.matchAll(pattern)].map(([word]) =>
    word.replaceAll(/"((?:\\.|[^"\\])*)"|'([^']*)'/gs, (_whole, double?: string, single?: string) =>
      double === undefined ? (single ?? '') : double.replaceAll(/\\(["\\])/g, '$1'),
    ),
  );
}

it('splits according to the grammar', () => {
  const text = fc
    .array(fc.constantFrom('"', "'", '\\', ' ', '\n', 'a', 'b'), { maxLength: 24 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (value) => {
      expect(splitWords(value)).toEqual(splitByPattern(value));
    }),
    { numRuns: propertyRuns(3000), seed: 7 },
  );
});

it.each(['"\\', '\'\\"', '"\\"', '\\"'])('splits long text of %j in linear time', (unit) => {
  expect(splitWords(unit.repeat(200_000)).length).toBeGreaterThan(0);
});
