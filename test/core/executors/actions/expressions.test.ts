import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  fillText,
  isConditionMet,
  type ExpressionScope,
  type Progress,
} from '../../../../core/executors/actions/evaluate.ts';
import { hashFiles } from '../../../../core/executors/actions/hash-files.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { writeFiles } from './action-harness.ts';

const getScope = (progress: Progress = 'success'): ExpressionScope => ({
  progress,
  contexts: {
    inputs: { name: 'Ada', 'two-words': '2', empty: '' },
    env: { HOME: '/h' },
    steps: { one: { outputs: { list: '["a","b"]', n: '10' }, outcome: 'success' } },
    github: { event: { labels: [{ name: 'x' }, { name: 'y' }] } },
    runner: { os: 'Linux' },
  },
  hashFiles: (patterns) => Promise.resolve(`hash of ${patterns.join('+')}`),
});

describe('text with expressions', () => {
  test.each([
    ['plain $x {{ y }}', 'plain $x {{ y }}'],
    ['${{ inputs.name }} and ${{inputs.two-words}}', 'Ada and 2'],
    ["${{ inputs['two-words'] }}", '2'],
    ['${{ inputs.NAME }}', 'Ada'],
    ['[${{ inputs.missing }}${{ steps.nobody.outputs.x }}]', '[]'],
    ["${{ 'it''s }} fine' }}", "it's }} fine"],
    ['${{ steps.one.outputs.n > 9 }}', 'true'],
    ["${{ 'ada' == inputs.name }}", 'true'],
    ["${{ inputs.empty || 'default' }}", 'default'],
    ["${{ inputs.name && 'yes' || 'no' }}", 'yes'],
    ['${{ !inputs.empty }}', 'true'],
    ["${{ contains(inputs.name, 'DA') }}", 'true'],
    ["${{ contains(github.event.labels.*.name, 'y') }}", 'true'],
    ["${{ startsWith('Hello', 'he') }} ${{ endsWith('Hello', 'LO') }}", 'true true'],
    ["${{ format('{0} {{x}} {1}', 'a', 1) }}", 'a {x} 1'],
    ["${{ join(fromJSON(steps.one.outputs.list), '-') }}", 'a-b'],
    ['${{ fromJSON(steps.one.outputs.list)[1] }}', 'b'],
    ['${{ toJSON(steps.one.outcome) }}', '"success"'],
    ['${{ 0x10 }} ${{ 1.5 }} ${{ true }} ${{ null }}', '16 1.5 true '],
    ["${{ hashFiles('a', 'b') }}/${{ hashFiles('c') }}", 'hash of a+b/hash of c'],
  ])('%s', async (text, filled) => {
    expect(await fillText(text, getScope())).toBe(filled);
  });

  test.each([
    ['${{ inputs.name', /Missing \}\} after "\$\{\{ inputs\.name"\./],
    [
      '${{ secrets.X }}',
      /Invalid expression "secrets\.X", at character 1: Unrecognized named-value: 'secrets'\./,
    ],
    ['${{ nope() }}', /Unrecognized function: 'nope'/],
    [
      '${{ 1 + 1 }}',
      /Invalid expression "1 \+ 1": Unexpected symbol: '\+'\. Located at position 3 within expression: 1 \+ 1\./,
    ],
    ['${{ }}', /the expression is empty/],
    [
      "${{ fromJSON('{') }}",
      /Invalid expression "fromJSON\('\{'\)": Error parsing JSON when evaluating fromJson\./,
    ],
    ["${{ contains('a') }}", /Too few parameters/],
  ])('rejects %s', async (text, message) => {
    await expect(fillText(text, getScope())).rejects.toThrow(message);
  });
});

describe('condition', () => {
  test.each([
    ['', 'success', true],
    ['', 'failure', false],
    ["inputs.name == 'Ada'", 'success', true],
    ["inputs.name == 'Ada'", 'failure', false],
    ["always() && inputs.name == 'Ada'", 'failure', true],
    ['failure()', 'failure', true],
    ['failure()', 'success', false],
    ['!cancelled()', 'cancelled', false],
    ['${{ Always ( ) }}', 'cancelled', true],
    ["'always()' == 'always()'", 'failure', false],
    ['${{ inputs.empty }}', 'success', false],
    ["${{ inputs.name }} == 'Ada'", 'success', true],
  ] as const)('%s after %s: %s', async (condition, progress, expected) => {
    expect(await isConditionMet(condition, getScope(progress), true)).toBe(expected);
  });

  test('of pre and post steps has no implicit success()', async () => {
    expect(await isConditionMet("runner.os == 'Linux'", getScope('failure'), false)).toBe(true);
  });
});

describe('hashFiles', () => {
  const signal = new AbortController().signal;

  test('covers files in the directory, including hidden ones, without following links', async () => {
    const folder = makeTemporaryFolder();
    writeFiles(folder, { 'in/a.txt': '1', 'in/.hidden/b.txt': '2', 'out.txt': '3' });
    const inside = join(folder, 'in');
    symlinkSync('../out.txt', join(inside, 'link.txt'));
    mkdirSync(join(inside, 'folder.txt'));
    const all = await hashFiles(inside, ['**/*.txt'], signal);
    expect(all).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashFiles(inside, ['a.txt\n.hidden/b.txt', '../out.txt'], signal)).toBe(all);
    expect(await hashFiles(inside, ['**', '!**/.hidden/**'], signal)).toBe(
      await hashFiles(inside, ['a.txt'], signal),
    );
  });

  test.each([
    ['*.lock', ['a.lock', '.b.lock']],
    ['deep', ['deep/a.lock', 'deep/er/x.lock']],
    ['deep/**/*.lock', ['deep/a.lock', 'deep/er/x.lock']],
    ['[ab].lock', ['a.lock']],
    ['[!a]*.lock', ['.b.lock']],
    ['?.lock', ['a.lock']],
    ['a+(b).txt', ['a+(b).txt']],
    ['# comment', []],
    ['nothing/*', []],
    ['[', []],
  ])('resolves the pattern %s', async (pattern, files) => {
    const folder = makeTemporaryFolder();
    const names = ['a.lock', '.b.lock', 'deep/a.lock', 'deep/er/x.lock', 'a+(b).txt'];
    writeFiles(folder, Object.fromEntries(names.map((name) => [name, name])));
    expect(await hashFiles(folder, [pattern], signal)).toBe(await hashFiles(folder, files, signal));
  });

  test('ends with the step', async () => {
    const folder = makeTemporaryFolder();
    writeFiles(folder, { a: '' });
    await expect(hashFiles(folder, ['*'], AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});
