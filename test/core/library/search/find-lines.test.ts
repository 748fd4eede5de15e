import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../../core/library/search/compile-pattern.ts';
import { createFinder } from '../../../../core/library/search/find-lines.ts';
import { LineMatcher } from '../../../../core/library/search/line-matcher.ts';

const matches = (pattern: string, line: string): boolean =>
  new LineMatcher(compilePattern(pattern)).matches(line);

describe('a regular expression', () => {
  it('finds what the one of the language finds', () => {
    const atom = fc.constantFrom(
      'a',
      'B',
      '_',
      '.',
      '\\d',
      '\\W',
      '\\s',
      '[a-c]',
      '[^b]',
      '[\\d_]',
      '\\.',
      '-',
      'é',
    );
    const edge = fc.constantFrom('^', '$', '\\b', '\\B');
    const times = fc.constantFrom('', '', '', '*', '+', '?', '*?', '{2}', '{1,3}', '{0,}', '{0}');
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc
        .array(
          fc.oneof(
            { depthSize: 'small' },
            fc.tuple(atom, times).map((parts) => parts.join('')),
            edge,
            fc.tuple(tie('pattern'), times).map(([inner, count]) => `(${inner})${count}`),
            fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
          ),
          { maxLength: 4 },
        )
        .map((parts) => parts.join('')),
    }));
    const line = fc.string({
      unit: fc.constantFrom('a', 'b', 'C', '1', '_', ' ', '.', '-', 'é', 'É', '😀'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(pattern, line, (text, given) => {
        expect([text, given, matches(text, given)]).toEqual([
          text,
          given,
          new RegExp(text, 'iu').test(given),
        ]);
      }),
      { seed: 11, numRuns: 3000 },
    );
  });

  it.each([
    ['(a+)+$', 'a'.repeat(30_000) + 'b'],
    ['(a|a)*c', 'a'.repeat(30_000)],
    ['(.*)*x', 'y'.repeat(30_000)],
    ['(a?){30}a{30}$', 'a'.repeat(29)],
  ])('that makes others wait for ever looks at each character once: %s', (pattern, line) => {
    const program = compilePattern(pattern);
    const matcher = new LineMatcher(program);
    expect(matcher.matches(line)).toBe(false);
    expect(matcher.work).toBeLessThanOrEqual(program.length * (line.length + 1));
  });

  it.each([
    ['(', 'a ")" is missing'],
    ['a)', 'there is a ")" without a "("'],
    ['[a', 'a "]" is missing'],
    ['*a', 'there is nothing before "*" to repeat'],
    ['a{3,2}', 'the numbers in {} are out of order'],
    ['[b-a]', 'a range in [ ] is out of order'],
    ['a\\', 'a character after "\\" is missing'],
    ['(a)\\1', '"\\1" is not known here'],
    ['(?=a)', 'groups are ( ) and (?: ) only'],
    ['(?<n>a)', 'groups are ( ) and (?: ) only'],
    ['((a{100}){100}){100}', 'it repeats too much'],
    ['('.repeat(51) + ')'.repeat(51), 'its groups are nested too deeply'],
  ])('%s is refused: %s', (pattern, problem) => {
    expect(() => compilePattern(pattern)).toThrow(expect.objectContaining({ code: 'bad_request' }));
    expect(() => compilePattern(pattern)).toThrow(problem);
  });
});

describe('a text', () => {
  it('is found whatever its case, and stands for nothing but itself', () => {
    const find = createFinder('A.*', false);
    expect(find('x\na.*b\nabc\n').matches.map(({ lineNumber }) => lineNumber)).toEqual([2]);
  });

  it('that costs too much to look through is left before its end', () => {
    const found = createFinder('(.*)*(.*)*(.*)*x', true)(`${'y'.repeat(1000)}\n`.repeat(2000));
    expect(found).toEqual({ matches: [], more: true });
  });
});
