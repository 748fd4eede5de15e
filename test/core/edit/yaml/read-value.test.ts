import { describe, expect, it } from 'vitest';
import { readEditable } from '../../../../core/edit/yaml/editable-text.ts';
import { isKeySpelling, renameKey } from '../../../../core/edit/yaml/keys.ts';
import { insertItem } from '../../../../core/edit/yaml/set-value.ts';
import { RawYaml, readValue } from '../../../../core/edit/yaml/read-value.ts';
import { at, edit, refusal } from '../../../harness/workflow-texts.ts';

const text = `x: &x {a: 1, b: open}
steps:
  - name: a   # first
    # about
    script: |
      echo a
       b

  - <<: *x
    b: *x
    c:
`;

describe('reading', () => {
  const editable = readEditable(text);

  it('returns the value, its position and its text', () => {
    const step = readValue(editable, at('steps', 0))!;
    expect(step.value).toEqual({ name: 'a', script: 'echo a\n b\n' });
    expect(step.source).toBe('name: a   # first\n# about\nscript: |\n  echo a\n   b');
    expect(text.slice(step.range.from, step.range.to)).toBe(
      'name: a   # first\n    # about\n    script: |\n      echo a\n       b',
    );
  });

  it('strips the indentation of its key from text', () => {
    expect(readValue(editable, at('steps', 0, 'script'))?.source).toBe('|\n  echo a\n   b');
  });

  it('resolves aliases and merge keys', () => {
    expect(readValue(editable, at('steps', 1))?.value).toEqual({ a: 1, b: { a: 1, b: 'open' }, c: null });
    expect(readValue(editable, at('steps', 1, 'b', 'b'))).toMatchObject({ value: 'open', source: '*x' });
    expect(readValue(editable, at('steps', 1, 'a'))).toMatchObject({ value: 1, source: '*x' });
    expect(readValue(editable, at('steps', 1, 'c'))).toMatchObject({ value: null, source: '' });
  });

  it('returns nothing for missing values', () => {
    expect(readValue(editable, at('steps', 2))).toBeUndefined();
    expect(readValue(editable, at('x', 'a', 'b'))).toBeUndefined();
    expect(readValue(editable, { document: 1, path: [] })).toBeUndefined();
    expect(readValue(readEditable('a: ['), at('a'))).toBeUndefined();
  });

  it('returns text that can be inserted again', () => {
    const raw = new RawYaml(readValue(editable, at('steps', 0))!.source);
    const after = edit(text, (each) => insertItem(each, at('steps'), 1, raw));
    expect(readValue(readEditable(after), at('steps', 1))?.value).toEqual({
      name: 'a',
      script: 'echo a\n b\n',
    });
  });

  it('terminates on a file that refers to itself', () => {
    expect(readValue(readEditable('a: &a [*a]\n'), at('a'))?.value).toEqual([[null]]);
  });
});

it.each([
  ['handler_on', 'handlerOn', 'workflow', true],
  ['timeoutSec', 'timeout', 'workflow', true],
  ['timeoutSec', 'name', 'workflow', false],
  ['workingDir', 'dir', 'step', true],
  ['timeout', 'timeoutSec', 'step', true],
  ['call', 'run', 'step', true],
  ['dir', 'dir', 'step', true],
] as const)('%s is a spelling of %s of a %s: %s', (written, name, kind, means) => {
  expect(isKeySpelling(written, name, kind)).toBe(means);
});

describe('renaming', () => {
  const rename = (source: string, path: (string | number)[], key: string): string =>
    edit(source, (each) => renameKey(each, at(...path), key));

  it('changes the key alone', () => {
    expect(rename('a: 1 # c\nb: 2\n', ['a'], 'x y')).toBe('x y: 1 # c\nb: 2\n');
    expect(rename('"a": 1\n', ['a'], 'x')).toBe('"x": 1\n');
    expect(rename("{'a': 1}\n", ['a'], "it's")).toBe("{'it''s': 1}\n");
    expect(rename('a: 1\n', ['a'], '<<')).toBe("'<<': 1\n");
    expect(rename('a: &x {b: 1}\nc: *x\n', ['c', 'b'], 'd')).toBe('a: &x {b: 1}\nc:\n  d: 1\n');
  });

  it.each([
    ['a: 1\nb: 2\n', ['a'], 'b', 'Key "b" already exists in line 2. Choose another name.'],
    [
      'x: &x {a: 1}\ny:\n  <<: *x\n',
      ['y', 'a'],
      'b',
      'The map also gets this key from "<<" in line 3. Change the "<<" in the source first.',
    ],
    [
      'x: &x {a: 1}\ny: *x\n',
      ['x', 'a'],
      'b',
      'The value in line 1 has the anchor &x, which is also used in line 2.',
    ],
    ['a: [1]\n', ['a', 0], 'b', 'Key "0" not found.'],
    ['a: 1\n', [], 'b', 'Only keys can be renamed'],
  ])('%j rejects renaming %j to %s', (source, path, key, reason) => {
    expect(refusal(source, (each) => renameKey(each, at(...path), key))).toContain(reason);
  });
});
