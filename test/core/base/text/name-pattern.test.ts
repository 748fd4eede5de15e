import { describe, expect, it } from 'vitest';
import { parsePattern, passes, type Pattern } from '../../../../core/base/text/name-pattern.ts';

function patternOf(text: string): Pattern {
  const pattern = parsePattern(text);
  if ('problem' in pattern) throw new Error(pattern.problem);
  return pattern;
}

describe('patterns of branches, tags and files', () => {
  // From the examples of the peer's documentation of filter patterns.
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
    ['', 'x', 'A pattern cannot be empty.'],
    ['!', 'x', 'A pattern cannot be empty.'],
    ['+x', 'x', '"+" has no character before it.'],
    ['v[12', 'v1', '"[" has no "]" after it.'],
  ])('%s and %s: %s', (text, name, expected) => {
    const pattern = parsePattern(text);
    expect('problem' in pattern ? pattern.problem : pattern.fits(name)).toBe(expected);
  });

  it('lets later patterns win, and needs a positive one', () => {
    const names = (...texts: string[]) => texts.map(patternOf);
    expect(passes(names('releases/**', '!releases/**-alpha'), 'releases/10')).toBe(true);
    expect(passes(names('releases/**', '!releases/**-alpha'), 'releases/beta/3-alpha')).toBe(false);
    expect(passes(names('!**-alpha', 'releases/**'), 'releases/3-alpha')).toBe(true);
    expect(passes(names('!main'), 'other')).toBe(false);
  });

  it('looks at a hostile pattern in time that its length bounds', () => {
    const pattern = patternOf(`${'a*'.repeat(400)}b`);
    expect(pattern.fits('a'.repeat(1024))).toBe(false);
  });
});
