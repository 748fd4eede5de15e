import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RE2JS } from 're2js';
import { compilePattern, maxPatternLength } from '../../../core/base/pattern.ts';
import { estimatePatternSize } from '../../../core/base/pattern-automaton.ts';
import { propertyRuns } from '../../harness/fuzzing.ts';

describe('patterns', () => {
  it.each([
    [String.raw`^a\-done$`, 'a-done'],
    [String.raw`^\p{L}+$`, 'Größe'],
    ['(?i)error', 'an ERROR'],
    ['(?ims)^b.c$', 'a\nB\nc'],
    ['^.$', '😀'],
    ['^[[:digit:]]{2}$', '42'],
    [String.raw`\Ax\z`, 'x'],
    [String.raw`^\Qa.b(\E$`, 'a.b('],
    [String.raw`^\pL\p{Cyrillic}\x{41}$`, 'aЖA'],
    [String.raw`^caf\u00e9\u{1F600}\cA$`, 'café😀\u0001'],
  ])('%s matches %j', (source, text) => {
    expect(compilePattern(source).test(text)).toBe(true);
  });

  it('find all matches anywhere in a text', () => {
    expect([...compilePattern('a+').matchAll('baab a')]).toEqual([
      [1, 3],
      [5, 6],
    ]);
    expect(compilePattern('^b', { multiline: true, ignoreCase: true }).test('a\nB')).toBe(true);
    expect(compilePattern('^b').test('a\nb')).toBe(false);
  });

  it.each([
    ['a(?=b)', '"(?=" at character 2 is a lookahead, which RE2 syntax does not support. Rewrite'],
    ['(?<!a)b', '"(?<!" at character 1 is a lookbehind'],
    [String.raw`(a)\1`, String.raw`"\1" at character 4 is a backreference`],
    ['(?>a)', 'an atomic group'],
    ['a(', 'missing closing ). Add the ")"'],
    ['[', 'missing closing ]. Add the "]"'],
    ['x**', 'invalid nested repetition operator "**" at character 2. '],
    ['a{1001}', 'Invalid regular expression: invalid repeat count "{1001}" at character 2.'],
    ['(?x)a', 'invalid or unsupported Perl syntax "(?x" at character 1. '],
    [String.raw`\Z`, String.raw`invalid escape sequence "\Z" at character 1. `],
    [
      'x'.repeat(maxPatternLength + 1),
      'Invalid regular expression: the pattern has 4001 characters (the limit is 4000). Shorten it.',
    ],
    ['(?:a{100}){100}', 'Use smaller counts in {}, or * and +.'],
    [
      String.raw`(?i)[b-\x{1e900}]`.repeat(25),
      'Invalid regular expression: the pattern with its repetitions expanded has size 5178 (the limit is 4000).',
    ],
  ])('rejects %s', (source, problem) => {
    expect(() => compilePattern(source)).toThrow(expect.objectContaining({ code: 'bad_request' }));
    expect(() => compilePattern(source)).toThrow('Invalid regular expression: ');
    expect(() => compilePattern(source)).toThrow(problem);
  });

  it('estimates a size that compilation hardly exceeds', () => {
    const atom = fc.constantFrom(
      ...['a', 'é', '.', '[ab]', '[^a-c]', '[]a]', '[[:alpha:]_]', '^', '$', '(?:)'],
      ...['\\pL', '\\P{Greek}', '\\d', '\\x{41}', '\\Qa(b\\E', '\\b', '\\[', '(?i:k)'],
    );
    const times = fc.constantFrom('', '', '*', '+?', '?', '{3}', '{0,5}', '{2,}', '{0}', '{1,20}');
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc
        .array(
          fc.oneof(
            { depthSize: 'small' },
            fc.tuple(atom, times).map((parts) => parts.join('')),
            fc.tuple(tie('pattern'), times).map(([inner, count]) => `(${inner})${count}`),
            fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
          ),
          { maxLength: 4 },
        )
        .map((parts) => parts.join('')),
    }));
    fc.assert(
      fc.property(pattern, (source) => {
        const estimate = estimatePatternSize(source);
        fc.pre(estimate <= 4000 && isValid(source));
        expect(RE2JS.compile(source).programSize()).toBeLessThanOrEqual(estimate * 1.25);
      }),
      { seed: 11, numRuns: propertyRuns(500) },
    );
  });
});

function isValid(source: string): boolean {
  try {
    RE2JS.compile(source);
    return true;
  } catch {
    return false;
  }
}
