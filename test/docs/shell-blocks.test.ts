import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { listCodeBlocks, listPages, root, type CodeBlock } from './read-page.ts';
import { DocsHome } from './docs-home.ts';

const pages = listPages()
  .map(({ path, text }) => ({ path, blocks: listCodeBlocks({ path, text }) }))
  .filter(({ blocks }) => blocks.some(({ marks }) => marks.includes('run')));

const needsCurl = (blocks: readonly CodeBlock[]): boolean =>
  blocks.some(({ marks, text }) => marks.includes('run') && text.includes('curl '));
const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** A line of expected output: `…` matches anything, spaces match any number of spaces. */
function toPattern(line: string): RegExp {
  const parts = line.trim().split('…');
  const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/ +/g, ' +'));
  return new RegExp(escaped.join('.*?'), 'g');
}

/** The first expected line that the output does not contain after the previous ones. */
function findMissing(expected: string, output: string): string | undefined {
  let at = 0;
  for (const line of expected.trimEnd().split('\n')) {
    const pattern = toPattern(line);
    pattern.lastIndex = at;
    if (!pattern.test(output)) return line;
    at = pattern.lastIndex;
  }
  return undefined;
}

/** Follows a page as a reader would. @returns differences from the page */
async function findFault(blocks: readonly CodeBlock[]): Promise<string | undefined> {
  const testHome = new DocsHome();
  for (const { language, marks, text, line, expected } of blocks) {
    const file = marks.find((mark) => mark.startsWith('file='))?.slice('file='.length);
    if (file !== undefined) testHome.writeFile(file, text);
    if (language !== 'sh' || !marks.includes('run')) continue;
    if (marks.includes('server')) await testHome.startServer();
    const { code, output } = await testHome.runShell(text);
    if (code !== 0) return `line ${line} ends with ${code}:\n${output}`;
    const missing = findMissing(expected ?? '', output);
    if (missing !== undefined) return `line ${line} does not write "${missing}":\n${output}`;
  }
  return undefined;
}

// The pages show a POSIX shell and the paths of Linux.
if (process.platform === 'linux') {
  describe('commands in the documentation do what the pages show', { timeout: 60_000 }, () => {
    it.each(pages.filter(({ blocks }) => !needsCurl(blocks)))('$path', async ({ blocks }) => {
      expect(await findFault(blocks)).toBeUndefined();
    });

    it.skipIf(!hasCurl).each(pages.filter(({ blocks }) => needsCurl(blocks)))('$path', async ({ blocks }) => {
      expect(await findFault(blocks)).toBeUndefined();
    });
  });
}

describe('expected output', () => {
  it('must occur in order', () => {
    expect(findMissing('a …\nb', 'a 1\nb')).toBeUndefined();
    expect(findMissing('b\na', 'a\nb')).toBe('a');
    expect(findMissing('a.c', 'abc')).toBe('a.c');
    expect(findMissing('Status ✔ succeeded', 'Status    ✔ succeeded')).toBeUndefined();
  });
});

describe('npx engine', () => {
  it('is the command of this project inside its folder', () => {
    const output = execFileSync('npx', ['--no', 'engine', 'version'], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 50_000,
    });
    expect(output).toMatch(/^engine \d+\.\d+\.\d+$/m);
  });
});
