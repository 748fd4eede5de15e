import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNamePattern, matchesPatterns, type NamePattern } from '../../../core/base/name-pattern.ts';
import { propertyRuns } from '../../harness/fuzzing.ts';

function patternOf(text: string): NamePattern {
  const pattern = parseNamePattern(text);
  if ('problem' in pattern) throw new Error(pattern.problem);
  return pattern;
}

describe('patterns of branches, tags and files', () => {
  // From the examples of Dagu's documentation of filter patterns.
  it.each([
    ['*', 'main', true],
    ['*', 'releases/1', false],
    ['**', 'all/the/branches', true],
    ['feature/*', 'feature/your-branch', true],
    ['feature/*', 'feature/beta-a/my-branch', false],
    ['feature/**', 'feature/beta-a/my-branch', true],
    ['releases/mona-the-cat', 'releases/mona-the-cat', true],
    ['*feature', 'ver-10-feature', true],
    ['*feature', 'feature/x', false],
    ['v2*', 'v2.0', true],
    ['v2*', 'v2', true],
    ['v[12].[0-9]+.[0-9]+', 'v1.10.1', true],
    ['v[12].[0-9]+.[0-9]+', 'v3.10.1', false],
    ['v[12].[0-9]+.[0-9]+', 'v1..1', false],
    ['*.jsx?', 'page.js', true],
    ['*.jsx?', 'page.jsx', true],
    ['*.jsx?', 'page.jsxx', false],
    ['docs/**', 'docs/mona/octocat.txt', true],
    ['docs/**/*.md', 'docs/a/markdown/file.md', true],
    ['**/docs/**', 'dir/docs/my-file.txt', true],
    ['**.js', 'src/js/app.js', true],
    ['**/*src/**', 'my-src/code/js/app.js', true],
    ['**/docs/**', 'docs/hello.md', true],
    ['**/docs/**', 'my-docs/hello.md', false],
    ['docs/**/*.md', 'docs/README.md', true],
    ['docs**/x', 'docsx', false],
    ['**/*-post.md', 'path/my-post.md', true],
    ['ab+c', 'abbbc', true],
    ['ab+c', 'ac', false],
    ['ab?c', 'ac', true],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'axb', false],
    ['main', 'maintenance', false],
    ['[0-9a-c-]', '-', true],
    ['x😀y', 'x😀y', true],
    ['', 'x', 'The pattern is empty.'],
    ['!', 'x', 'The pattern is empty.'],
    ['+x', 'x', 'Missing character before "+".'],
    ['v[12', 'v1', 'Missing "]" after "[".'],
  ])('%s and %s: %s', (text, name, expected) => {
    const pattern = parseNamePattern(text);
    expect('problem' in pattern ? pattern.problem : pattern.fits(name)).toBe(expected);
  });

  it('let later patterns win, and need a positive one', () => {
    const names = (...texts: string[]) => texts.map(patternOf);
    expect(matchesPatterns(names('releases/**', '!releases/**-alpha'), 'releases/10')).toBe(true);
    expect(matchesPatterns(names('releases/**', '!releases/**-alpha'), 'releases/beta/3-alpha')).toBe(false);
    expect(matchesPatterns(names('!**-alpha', 'releases/**'), 'releases/3-alpha')).toBe(true);
    expect(matchesPatterns(names('!main'), 'other')).toBe(false);
  });

  it('agree with a regular expression on short inputs', () => {
    const wild = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' } as const;
    const toExpression = (text: string): RegExp =>
      new RegExp(
        `^${text.replace(/\\\*|(?<=^|\/)\*\*\/|\*\*|\*/g, (piece) => wild[piece as '*'] ?? piece)}$`,
        'su',
      );
    const pieces = ['a', 'b', '/', '[ab]', '[a-c]', '😀', '*', '**', '**/', 'a?', 'b+', '/?', '[ab]+', '\\*'];
    const pattern = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 7 });
    const name = fc.array(fc.constantFrom('a', 'b', 'c', '/', '*', '😀'), { maxLength: 8 });
    fc.assert(
      fc.property(pattern, name, (parts, characters) => {
        const [text, word] = [parts.join(''), characters.join('')];
        fc.pre(!text.includes('**/?'));
        expect(patternOf(text).fits(word)).toBe(toExpression(text).test(word));
      }),
      { seed: 20, numRuns: propertyRuns(1000) },
    );
  });

  it.each([
    ['stars', (size: number) => [`${'a*'.repeat(size)}b`, 'a'.repeat(size)] as const],
    ['directories', (size: number) => [`${'**/'.repeat(size)}b`, 'a/'.repeat(size)] as const],
    ['optional parts', (size: number) => ['a?'.repeat(size), 'a'.repeat(size)] as const],
    ['unsupported characters', (size: number) => [`**${'é*'.repeat(size)}`, 'é😀'.repeat(size)] as const],
  ])('take at most steps proportional to the product of both lengths: %s', (_, build) => {
    const count = (size: number) => {
      const work = { steps: 0 };
      const [text, name] = build(size);
      patternOf(text).fits(name, work);
      return work.steps;
    };
    expect(count(320) / count(160)).toBeLessThan(4.5);
    expect(count(320)).toBeLessThan(320 * 320);
  });
});
