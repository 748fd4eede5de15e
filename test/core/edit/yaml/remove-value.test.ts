import { describe, expect, it } from 'vitest';
import type { AuthoredPath } from '../../../../core/edit/outline.ts';
import { removeValue, removeValues } from '../../../../core/edit/yaml/remove-value.ts';
import { at, edit, refusal } from '../../../harness/workflow-texts.ts';

function remove(text: string, ...paths: AuthoredPath[]): string {
  return edit(text, (editable) =>
    removeValues(
      editable,
      paths.map((path) => at(...path)),
    ),
  );
}

describe('block style', () => {
  it.each<[string, AuthoredPath, string]>([
    ['a: 1\nb: 2 # c\nd: 3\n', ['b'], 'a: 1\nd: 3\n'],
    ['a: 1\nb:\n  c: 1\n    # deep\nd: 3\n', ['b'], 'a: 1\nd: 3\n'],
    ['a: 1\r\nb: 2\r\n', ['b'], 'a: 1\r\n'],
    ['a: 1\nb: 2', ['b'], 'a: 1'],
    ['\uFEFFa: 1\nb: 2\n', ['a'], '\uFEFFb: 2\n'],
    // Comments directly above, in the same column, belong to a key.
    ['a: 1\n# about b\nb: 2\n# about d\nd: 3\n', ['b'], 'a: 1\n# about d\nd: 3\n'],
    ['a: 1\n\n# a section\n\n# about b\nb: 2\nd: 3\n', ['b'], 'a: 1\n\n# a section\n\nd: 3\n'],
    // A comment at the top is about the document.
    ['# head\na: 1\nb: 2\n', ['a'], '# head\nb: 2\n'],
    ['s:\n  # first\n  - a\n  # second\n  - b\n', ['s', 0], 's:\n  # second\n  - b\n'],
    ['s:\n  - a\n\n  - b\n\n  - c\nt: 1\n', ['s', 1], 's:\n  - a\n\n  - c\nt: 1\n'],
    ['s:\n  - a\n\n  - b\n', ['s', 1], 's:\n  - a\n'],
    ['s:\n  - a\n\n  - b\n\nt: 1\n', ['s', 1], 's:\n  - a\n\nt: 1\n'],
    ['- a: 1 # gone\n  # about b\n  b: 2\n', [0, 'a'], '- # about b\n  b: 2\n'],
    ['- - a\n  - b\n', [0, 0], '- - b\n'],
    ['a: |+\n  x\n\nb: 1\n\nc: 2\n', ['b'], 'a: |+\n  x\n\nc: 2\n'],
    ['env:\n  A: 1\nb: 2\n', ['env', 'A'], 'env: {}\nb: 2\n'],
    [
      'env: # vars\n  # about A\n  A: 1\n\n  # tail\nb: 2\n',
      ['env', 'A'],
      'env: {} # vars\n\n  # tail\nb: 2\n',
    ],
    ['s:\n- a\n', ['s', 0], 's: []\n'],
    ['- a: 1 # c\n- b\n', [0, 'a'], '- {}\n- b\n'],
    ['a: 1\n', ['a'], '{}\n'],
    ['? a\n: 1\n? b\n: 2\n', ['a'], '? b\n: 2\n'],
    ['a: 1\n', ['b', 'c'], 'a: 1\n'],
  ])('%j without %j', (text, path, after) => {
    expect(remove(text, path)).toBe(after);
  });

  it('removes several at once', () => {
    expect(remove('s:\n  - a\n  - b\n  - c\n', ['s', 0], ['s', 2])).toBe('s:\n  - b\n');
    expect(remove('s:\n  - a\n  - b\n', ['s', 1], ['s', 0])).toBe('s: []\n');
    expect(remove('- a: 1\n  b: 2\n  c: 3', [0, 'a'], [0, 'b'])).toBe('- c: 3');
    expect(remove('a: 1\nb: 2\nc: 3', ['b'], ['c'])).toBe('a: 1');
  });
});

describe('flow style', () => {
  it.each<[string, AuthoredPath, string]>([
    ['[a, b, c]\n', [0], '[b, c]\n'],
    ['[a, b, c]\n', [1], '[a, c]\n'],
    ['[a, b, c]\n', [2], '[a, b]\n'],
    ['[ a ] # c\n', [0], '[] # c\n'],
    ['{ a: 1, b: 2 }\n', ['b'], '{ a: 1 }\n'],
    ['{a: 1, b: 2,}\n', ['b'], '{a: 1,}\n'],
    ['k: [\n  a, # 1\n  b, # 2\n  c # 3\n]\n', ['k', 1], 'k: [\n  a, # 1\n  c # 3\n]\n'],
    ['k: [\n  a, # 1\n  b, # 2\n  c # 3\n]\n', ['k', 2], 'k: [\n  a, # 1\n  b # 2\n]\n'],
    ['k: [\n  # about a\n  a\n]\n', ['k', 0], 'k: [\n  # about a\n  \n]\n'],
  ])('%j without %j', (text, path, after) => {
    expect(remove(text, path)).toBe(after);
  });
});

describe('aliases and merge keys', () => {
  it('removes after an alias at that position only', () => {
    expect(remove('a: &x {b: 1, c: 2}\nd: *x\n', ['d', 'b'])).toBe('a: &x {b: 1, c: 2}\nd:\n  c: 2\n');
    expect(remove('a: &x 1\nd: *x\n', ['d'])).toBe('a: &x 1\n');
  });

  it.each<[string, AuthoredPath, string]>([
    ['a: &x 1\nb: *x\nc: 2\n', ['a'], 'The value in line 1 has the anchor &x, which is also used in line 2.'],
    ['a:\n  b: &x 1\nc: *x\n', ['a'], 'The value in line 2 has the anchor &x, which is also used in line 3.'],
    [
      'a: &x {k: 1}\nb:\n  <<: *x\n',
      ['b', 'k'],
      '"b.k" comes from "<<" in line 3 and cannot be removed here. Set another value, or change the "<<" in the source.',
    ],
    [
      'a: &x {k: 1}\nb:\n  <<: *x\n  k: 2\n',
      ['b', 'k'],
      'Removing "k" would expose the value from "<<" in line 3. Set another value, or change the "<<" in the source.',
    ],
    ['a: 1\n', [], 'Documents cannot be removed here. Edit the source instead.'],
    ['a: 1\na: 2\n', ['a'], 'Duplicate key "a" in lines 1 and 2. Remove or rename one in the source first.'],
  ])('%j rejects removing %j', (text, path, reason) => {
    expect(refusal(text, (editable) => removeValue(editable, at(...path)))).toContain(reason);
  });
});
