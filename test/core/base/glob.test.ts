import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGlob, type Glob, type GlobOptions } from '../../../core/base/glob.ts';
import { propertyRuns } from '../../harness/fuzzing.ts';

function globOf(text: string, options?: GlobOptions): Glob {
  const glob = parseGlob(text, options);
  if ('problem' in glob) throw new Error(glob.problem);
  return glob;
}

function countSteps(text: string, name: string): number {
  const work = { steps: 0 };
  globOf(text).fits(name, work);
  return work.steps;
}

describe('globs', () => {
  it.each([
    ['*.txt', 'a.txt', true],
    ['*.txt', 'a/b.txt', false],
    ['*.txt', '.txt', false],
    ['.*', '.hidden', true],
    ['**', 'a/b/c', true],
    ['**', 'a/.b/c', false],
    ['a/**', 'a', false],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/**b', 'a/x/b', false],
    ['?[0-9]', 'x7', true],
    ['[!a-c]', 'b', false],
    ['[^a-c]', 'd', true],
    ['[[:digit:]x]', 'x', true],
    ['[]x]', ']', true],
    ['[x', '[x', true],
    ['{a,b/{c,d}}.js', 'b/d.js', true],
    ['{08..11..2}', '10', true],
    ['{08..11..2}', '8', false],
    ['{c..a}', 'b', true],
    ['{3..-1}', '-1', true],
    ['{a}', '{a}', true],
    ['a{,b}', 'a', true],
    ['\\{a,b\\}', '{a,b}', true],
    ['\\*', 'x', false],
    ['+(a|b)', 'a', false],
    ['+(a|b)', '+(a|b)', true],
    ['é?', 'é😀', true],
  ])('%s and %s: %s', (text, name, expected) => {
    expect(globOf(text).fits(name)).toBe(expected);
  });

  it('support options for hidden names, braces and letter case', () => {
    expect(globOf('*', { dot: true }).fits('.a')).toBe(true);
    expect(globOf('**/x', { dot: true }).fits('.a/x')).toBe(true);
    expect(globOf('{a,b}', { noBraces: true }).fits('{a,b}')).toBe(true);
    expect(globOf('[a-c]X*', { ignoreCase: true }).fits('Bxy')).toBe(true);
    expect(globOf('README', { ignoreCase: true }).fits('readme')).toBe(false);
  });

  it('match the content of a matching directory', () => {
    expect(globOf('a/*').fitsWithin(['a', 'b', 'c'])).toBe(true);
    expect(globOf('a/*').fitsWithin(['a'])).toBe(false);
  });

  it('report extended globs, whose parentheses are literal', () => {
    expect(globOf('a+(b|c)').extended).toBe('+(');
    expect(globOf('a(b)').extended).toBeUndefined();
  });

  it('reject patterns over the limits, and name the limit', () => {
    const problemOf = (text: string) => (parseGlob(text) as { problem: string }).problem;
    expect(problemOf('a'.repeat(1025))).toBe('has 1025 characters. The limit for a glob is 1024.');
    expect(problemOf('{1..101}')).toBe(
      'has 101 brace alternatives. The limit is 100; use "*", or several globs.',
    );
    expect(problemOf('{1..1000000}{1..1000000}')).toContain('more than a million brace alternatives');
    expect(problemOf('{a,b,c,d,e,f,g,h}'.repeat(6))).toContain('262144 brace alternatives');
    expect(problemOf(`{a,b,c,d,e,f,g,h,i,j}${'x'.repeat(1000)}`)).toContain(
      'has alternatives with 10010 characters in total. The limit is 8192; use several globs.',
    );
    expect(globOf('{1..100}').fits('100')).toBe(true);
  });

  it('agree with Node’s globs on short inputs', () => {
    const pieces = [
      'a',
      'b',
      '/',
      '*',
      '**',
      '**/',
      '?',
      '[ab]',
      '[!a]',
      '{a,b}',
      '{a,',
      '}',
      '.',
      '{1..3}',
      '[',
      ']',
    ];
    const text = fc
      .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 7 })
      .map((all) => all.join(''));
    const name = fc
      .array(fc.constantFrom('a', 'b', '/', '.', '1', 'a/b'), { minLength: 1, maxLength: 7 })
      .map((all) => all.join(''));
    const isPath = (one: string) => !/(^|\/)\.{0,2}(\/|$)/.test(one);
    fc.assert(
      fc.property(text.filter(isPath), name.filter(isPath), (glob, file) => {
        expect(globOf(glob).fits(file)).toBe(path.posix.matchesGlob(file, glob));
      }),
      { seed: 20, numRuns: propertyRuns(500) },
    );
  });

  it.each([
    ['stars', (size: number) => ['*a'.repeat(size) + 'b', 'a'.repeat(size)] as const],
    ['directories', (size: number) => ['**/a/'.repeat(size) + 'b', 'a/'.repeat(size) + 'c'] as const],
    ['sets', (size: number) => ['[ab]*'.repeat(size) + 'c', 'ab'.repeat(size)] as const],
  ])('take at most steps proportional to the product of both lengths: %s', (_, build) => {
    const [small, large] = [countSteps(...build(50)), countSteps(...build(100))];
    // Twice the glob and twice the name: four times the steps, with some slack for rounding to words.
    expect(large / small).toBeLessThan(5);
    expect(large).toBeLessThan(100 * 100 * 3);
  });
});
