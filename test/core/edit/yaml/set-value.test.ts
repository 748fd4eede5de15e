import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../core/base/json.ts';
import type { AuthoredPath } from '../../../../core/edit/outline.ts';
import { RawYaml } from '../../../../core/edit/yaml/read-value.ts';
import { setValue } from '../../../../core/edit/yaml/set-value.ts';
import { at, changedLines, edit, refusal } from '../../../harness/workflow-texts.ts';

function set(text: string, path: AuthoredPath, value: JsonValue | RawYaml): string {
  return edit(text, (editable) => setValue(editable, at(...path), value));
}

describe('scalars', () => {
  it.each<[string, JsonValue, string]>([
    ['k: old # c\n', 'new', 'k: new # c\n'],
    ["k: 'old'\n", "it's", "k: 'it''s'\n"],
    ['k: "old"\n', 'say "x"', 'k: "say \\"x\\""\n'],
    ["k: 'old'\n", 'a\u0000', 'k: "a\\u0000"\n'],
    ["k: 'echo '\n", 'echo on', 'k: echo on\n'],
    ['k: "yes"\n', 'no', 'k: "no"\n'],
    ["{k: 'a, b'}\n", 'a', '{k: a}\n'],
    ["{k: 'a, b'}\n", 'a, c', "{k: 'a, c'}\n"],
    ['k: old\n', 'a: b', "k: 'a: b'\n"],
    ['k: old\n', 'a #b', "k: 'a #b'\n"],
    ['k: old\n', 'a#b', 'k: a#b\n'],
    ['k: old\n', 'yes', "k: 'yes'\n"],
    ['k: old\n', '1.10', "k: '1.10'\n"],
    ['k: old\n', '~', "k: '~'\n"],
    ['k: old\n', '', "k: ''\n"],
    ['k: old\n', '-v', 'k: -v\n'],
    ['k: old\n', '- v', "k: '- v'\n"],
    ['k: old\n', 'tab\there', 'k: "tab\\there"\n'],
    ['k: old\n', 'Größe 🚀 日本', 'k: Größe 🚀 日本\n'],
    ['k: old\n', 7, 'k: 7\n'],
    ['k: "7"\n', 7, 'k: 7\n'],
    ['k: old\n', true, 'k: true\n'],
    ['k: old\n', null, 'k: null\n'],
    ['k:\n', 'new', 'k: new\n'],
    ['k: # c\n', 'new', 'k: new # c\n'],
    ['k: one\n  two # c\nl: 1\n', 'new', 'k: new # c\nl: 1\n'],
    ['k:\n  # c\n  old # d\n', 'new', 'k:\n  # c\n  new # d\n'],
    ['k: &a old\n', 'new', 'k: &a new\n'],
    ['k: !!str 5\n', 6, 'k: 6\n'],
    ['? k\n: old\n', 'new', '? k\n: new\n'],
    ['{k: old, l: 1}\n', 'a, b', "{k: 'a, b', l: 1}\n"],
    ['{k, l: 1}\n', 'x', '{k: x, l: 1}\n'],
  ])('%j set to %j', (text, value, after) => {
    expect(set(text, ['k'], value)).toBe(after);
  });

  it('makes no change where the value is the same', () => {
    expect(set('k: "same" # c\n', ['k'], 'same')).toBe('k: "same" # c\n');
  });
});

describe('multi-line strings', () => {
  it.each<[string, string, string]>([
    ['k: old # c\nl: 1\n', 'a\nb\n', 'k: | # c\n  a\n  b\nl: 1\n'],
    ['k: old', 'a\nb', 'k: |-\n  a\n  b'],
    ['k: old\r\nl: 1\r\n', 'a\nb\n', 'k: |\r\n  a\r\n  b\r\nl: 1\r\n'],
    ['k: |\n    a\nl: 1\n', 'b', 'k: |-\n    b\nl: 1\n'],
    ['k: |- # c\n  a\n\nl: 1\n', 'b\nc\n', 'k: | # c\n  b\n  c\n\nl: 1\n'],
    ['k: >-\n  a\n  b\nl: 1\n', 'one line', 'k: >-\n  one line\nl: 1\n'],
    ['k: >\n  a\n', 'one\ntwo\n', 'k: >\n  one\n\n  two\n'],
    ['k: |\n  a\n', ' indented\nb\n', 'k: |2\n   indented\n  b\n'],
    ['k: |+\n  a\n\nl: 1\n', 'b\n\n\n', 'k: |+\n  b\n\n\nl: 1\n'],
    // Trailing blank lines would become part of the text.
    ['k: old\n\nl: 1\n', 'b\n\n', 'k: "b\\n\\n"\n\nl: 1\n'],
    ['k: |\n  a\n', '', "k: ''\n"],
    ['k: old\n', 'a\r\nb', 'k: "a\\r\\nb"\n'],
    ['k: "a\\nb"\n', 'a\nc', 'k: "a\\nc"\n'],
    ['{k: old}\n', 'a\nb', '{k: "a\\nb"}\n'],
    // The comment would become part of the text.
    ['k: old\n    # deep\nl: 1\n', 'a\nb', 'k: "a\\nb"\n    # deep\nl: 1\n'],
  ])('%j set to %j', (text, value, after) => {
    expect(set(text, ['k'], value)).toBe(after);
  });
});

describe('adding', () => {
  it.each<[string, AuthoredPath, JsonValue, string]>([
    ['', ['name'], 'a', 'name: a\n'],
    ['# only\n', ['name'], 'a', '# only\nname: a\n'],
    ['---\n# c\n---\nb: 1\n', ['name'], 'a', '---\n# c\nname: a\n---\nb: 1\n'],
    ['a: 1', ['b'], 2, 'a: 1\nb: 2'],
    ['a: 1\r\n', ['b'], { c: [1] }, 'a: 1\r\nb:\r\n  c:\r\n    - 1\r\n'],
    ['a: 1 # c\n  # deep\n# end\n', ['b'], 2, 'a: 1 # c\n  # deep\nb: 2\n# end\n'],
    ['env:\nb: 1\n', ['env', 'A'], '1', "env:\n  A: '1'\nb: 1\n"],
    ['env: # vars\n', ['env', 'A'], 'x', 'env: # vars\n  A: x\n'],
    ['env: {}\n', ['env', 'A'], 'x', 'env:\n  A: x\n'],
    ['env: ~ # c\n', ['env', 'A'], 'x', 'env: # c\n  A: x\n'],
    ['env: {A: 1}\n', ['env', 'B'], 'x', 'env: {A: 1, B: x}\n'],
    ['env: { A: 1 } # c\n', ['env', 'B'], [1], 'env: { A: 1, B: [1] } # c\n'],
    ['{"a": "1"}\n', ['b'], 2, '{"a": "1", "b": 2}\n'],
    ['e: {\n  A: 1, # c\n  B: 2 # d\n}\n', ['e', 'C'], 3, 'e: {\n  A: 1, # c\n  B: 2, # d\n  C: 3\n}\n'],
    ['e: [\n  a,\n  b, # d\n]\n', ['e', 2], 'c', 'e: [\n  a,\n  b, # d\n  c,\n]\n'],
    ['a:\n    b: 1\n', ['c', 'd', 'e'], 1, 'a:\n    b: 1\nc:\n    d:\n        e: 1\n'],
    ['s:\n- a\n', ['t'], ['b'], 's:\n- a\nt:\n- b\n'],
    ['s:\n  -   a: 1\n', ['s', 1], { b: 1, c: 2 }, 's:\n  -   a: 1\n  -   b: 1\n      c: 2\n'],
    ['- name: a\n', [0, 'env', 'A B'], 1, '- name: a\n  env:\n    A B: 1\n'],
    ['\uFEFFa: 1\n', ['b'], 2, '\uFEFFa: 1\nb: 2\n'],
    ['a: |+\n  x\n\n', ['b'], 2, 'a: |+\n  x\n\nb: 2\n'],
    ['a: {b: 1}\n', ['a', 'c', 'd'], 2, 'a: {b: 1, c: {d: 2}}\n'],
  ])('%j: %j set to %j', (text, path, value, after) => {
    expect(set(text, path, value)).toBe(after);
  });

  it('writes to the intended document', () => {
    const text = 'a: 1\n---\nb: 1\n...\n';
    expect(edit(text, (each) => setValue(each, { document: 1, path: ['c'] }, 2))).toBe(
      'a: 1\n---\nb: 1\nc: 2\n...\n',
    );
  });
});

describe('lists and maps', () => {
  it('writes only differences', () => {
    const text = 'env:\n  A: 1 # one\n  # two\n  B: "x"\n  C: 3\nl: 1\n';
    expect(set(text, ['env'], { A: 1, B: 'y', C: 3 })).toBe(
      'env:\n  A: 1 # one\n  # two\n  B: "y"\n  C: 3\nl: 1\n',
    );
    expect(set('d: [a, b, c] # x\n', ['d'], ['a', 'c'])).toBe('d: [a, c] # x\n');
    expect(set('d:\n  - a # 1\n  - b # 2\n', ['d'], ['a', 'x', 'b'])).toBe(
      'd:\n  - a # 1\n  - x\n  - b # 2\n',
    );
  });

  it('replaces a value of another kind', () => {
    expect(set('k: # c\n  a: 1\n  # d\nl: 1\n', ['k'], 'x')).toBe('k: x # c\nl: 1\n');
    expect(set('k: x # c\nl: 1\n', ['k'], { a: 1 })).toBe('k: # c\n  a: 1\nl: 1\n');
    expect(set('- x # c\n- y\n', [0], { a: 1, b: 2 })).toBe('- a: 1 # c\n  b: 2\n- y\n');
    expect(set('-   a: 1\n    b: 2\n- y\n', [0], 'x')).toBe('-   x\n- y\n');
    expect(set('-   a: 1\n-   y: 1\n', [0], [1, { b: 2 }])).toBe('-   -   1\n    -   b: 2\n-   y: 1\n');
  });

  it('accepts YAML text with its comments, indented for its position', () => {
    const raw = new RawYaml('# about\nname: z # q\nscript: |\n  a\n\n   b\n');
    expect(set('steps:\n    - a\n', ['steps', 1], raw)).toBe(
      'steps:\n    - a\n    # about\n    - name: z # q\n      script: |\n        a\n\n         b\n',
    );
    expect(set('k: old\n', ['k'], new RawYaml('"quoted" # c'))).toBe('k: "quoted" # c\n');
    expect(set('k: [a]\n', ['k', 1], new RawYaml('b: 1 # gone\n'))).toBe('k: [a, {b: 1}]\n');
    expect(set('k: { yaml: 1 }\n', ['k'], { yaml: 'a' })).toBe('k: { yaml: a }\n');
  });

  it('renames anchors that the file already has', () => {
    const raw = new RawYaml('a: &x 1\nb: *x\n');
    expect(set('k: &x 1\nl: *x\n', ['m'], raw)).toBe('k: &x 1\nl: *x\nm:\n  a: &x_2 1\n  b: *x_2\n');
  });
});

describe('aliases and merge keys', () => {
  it.each<[string, AuthoredPath, JsonValue, string]>([
    ['a: &x {b: 1}\nc: *x # k\n', ['c'], 'own', 'a: &x {b: 1}\nc: own # k\n'],
    ['a: &x {b: 1}\nc: *x # k\n', ['c', 'b'], 2, 'a: &x {b: 1}\nc: # k\n  b: 2\n'],
    ['a: &x {b: 1}\nc:\n  <<: *x\n  d: 1\n', ['c', 'b'], 2, 'a: &x {b: 1}\nc:\n  <<: *x\n  d: 1\n  b: 2\n'],
    // The only other user has the key itself.
    ['a: &x {b: 1}\nc:\n  <<: *x\n  b: 3\n', ['a', 'b'], 2, 'a: &x {b: 2}\nc:\n  <<: *x\n  b: 3\n'],
  ])('%j: %j set to %j', (text, path, value, after) => {
    expect(set(text, path, value)).toBe(after);
  });

  it('rejects what would change others', () => {
    const text = 'a: &x {b: 1}\nc: *x\nd: *x\n';
    const reason =
      'The value in line 1 has the anchor &x, which is also used in lines 2 and 3. Replace *x there with its value first, or edit the source.';
    expect(refusal(text, (each) => setValue(each, at('a'), 1))).toBe(reason);
    expect(refusal(text, (each) => setValue(each, at('a', 'b'), 2))).toBe(reason);
  });
});

describe('errors', () => {
  it.each<[string, AuthoredPath, string]>([
    [
      'a: 1\nb: 2\na: 3\n',
      ['a'],
      'Duplicate key "a" in lines 1 and 3. Remove or rename one in the source first.',
    ],
    ['a: [\nb: 1\n', ['b'], 'Invalid YAML in line 2.'],
    [
      'a:\n\tb: 1\n',
      ['b'],
      'Invalid YAML in line 2. Tabs are not allowed for indentation in YAML. Replace them with spaces.',
    ],
    ['a: x\n', ['a', 'b'], '"a" is neither a list nor a map, so "b" cannot be set. Replace it first.'],
    ['a: [1]\n', ['a', 3], '"a" has no item 3.'],
    ['a: 1\n', ['<<'], 'The merge key << copies fields of another map. Edit it in the source.'],
    ['a: 1\n', [], 'Only fields of a workflow can be set. Edit the source instead.'],
  ])('%j: %j', (text, path, reason) => {
    expect(refusal(text, (each) => setValue(each, at(...path), 'x'))).toContain(reason);
  });

  it('describe what is wrong with YAML text', () => {
    const put = (yaml: string) => refusal('a: 1\n', (each) => setValue(each, at('b'), new RawYaml(yaml)));
    expect(put('a: [')).toContain('Invalid YAML in line 1 of the inserted text.');
    expect(put('a: 1\n---\nb: 1\n')).toContain('several YAML documents');
    expect(put('a: *unknown')).toContain('*unknown, which is not defined before this position');
  });
});

it('change one line for one field', () => {
  const text =
    '# head\nname: x   # n\nsteps:\n  - name: a\n    command: echo a   # run\n    retryPolicy: {limit: 3, intervalSec: 1}\n\n  - echo b\n';
  expect(changedLines(text, set(text, ['steps', 0, 'command'], 'echo "b"'))).toEqual([
    '-    command: echo a   # run',
    '+    command: echo "b"   # run',
  ]);
  expect(changedLines(text, set(text, ['steps', 0, 'retryPolicy', 'limit'], 5))).toEqual([
    '-    retryPolicy: {limit: 3, intervalSec: 1}',
    '+    retryPolicy: {limit: 5, intervalSec: 1}',
  ]);
  expect(changedLines(text, set(text, ['steps', 0, 'timeoutSec'], 5))).toEqual(['+    timeoutSec: 5']);
  expect(changedLines(text, set(text, ['steps', 1], 'echo c'))).toEqual(['-  - echo b', '+  - echo c']);
});
