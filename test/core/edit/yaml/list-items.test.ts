import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../core/base/json.ts';
import type { AuthoredPath } from '../../../../core/edit/outline.ts';
import { insertItem, moveItem } from '../../../../core/edit/yaml/set-value.ts';
import { moveKey } from '../../../../core/edit/yaml/keys.ts';
import { RawYaml } from '../../../../core/edit/yaml/read-value.ts';
import { at, edit, refusal } from '../../../harness/workflow-texts.ts';

describe('inserting', () => {
  it.each<[string, AuthoredPath, number, JsonValue, string]>([
    ['s:\n- a\n- b\n', ['s'], 1, 'x', 's:\n- a\n- x\n- b\n'],
    ['s:\n  # about a\n  - a\n', ['s'], 0, 'x', 's:\n  - x\n  # about a\n  - a\n'],
    ['s:\n  - a # c\n    # deep\nt: 1\n', ['s'], 1, 'x', 's:\n  - a # c\n    # deep\n  - x\nt: 1\n'],
    ['s:\n  - a\n\n  - b\n', ['s'], 2, 'x', 's:\n  - a\n\n  - b\n\n  - x\n'],
    ['s:\n  - a\n\n  - b\n', ['s'], 1, { n: 1, m: 2 }, 's:\n  - a\n\n  - n: 1\n    m: 2\n\n  - b\n'],
    ['- - a\n  - b\n', [0], 0, 'x', '- - x\n  - a\n  - b\n'],
    ['s:\n  - a', ['s'], 1, 'x', 's:\n  - a\n  - x'],
    ['s:\r\n  - a\r\n', ['s'], 1, { n: 'a\nb\n' }, 's:\r\n  - a\r\n  - n: |\r\n      a\r\n      b\r\n'],
    ['s: [a, b] # c\n', ['s'], 1, 'x', 's: [a, x, b] # c\n'],
    ['s: [ "a" ]\n', ['s'], 1, 'x', 's: [ "a", "x" ]\n'],
    ['s: [\n  a,\n  b # c\n]\n', ['s'], 2, 'x', 's: [\n  a,\n  b, # c\n  x\n]\n'],
    ['s: [\n  a,\n  b # c\n]\n', ['s'], 1, 'x', 's: [\n  a,\n  x,\n  b # c\n]\n'],
    ['s: []\n', ['s'], 0, 'x', 's: [x]\n'],
    ['s: [] # c\n', ['s'], 0, { a: 1 }, 's: # c\n  - a: 1\n'],
    ['s: [ # none\n]\n', ['s'], 0, 'x', 's: [x # none\n]\n'],
    ['s:\n', ['s'], 0, 'x', 's:\n  - x\n'],
    ['a: 1\n', ['s'], 0, 'x', 'a: 1\ns:\n  - x\n'],
    ['s: &l [a]\nt: *l\n', ['t'], 1, 'x', 's: &l [a]\nt:\n  - a\n  - x\n'],
  ])('%j: into %j at %j', (text, list, index, value, after) => {
    expect(edit(text, (editable) => insertItem(editable, at(...list), index, value))).toBe(after);
  });

  it('accepts YAML text that repeats what precedes it', () => {
    const text = 's:\n  - &x {a: 1}\n  - b\n';
    const raw = new RawYaml('c: *x # again\n');
    expect(edit(text, (each) => insertItem(each, at('s'), 1, raw))).toBe(
      's:\n  - &x {a: 1}\n  - c: *x # again\n  - b\n',
    );
    expect(refusal(text, (each) => insertItem(each, at('s'), 0, raw))).toContain(
      'The inserted text uses the alias *x, which is not defined before this position. Write out the value instead.',
    );
  });

  it('rejects values other than lists, and indices out of range', () => {
    expect(refusal('s: a\n', (each) => insertItem(each, at('s'), 0, 'x'))).toBe('"s" is not a list.');
    expect(refusal('s: [a]\n', (each) => insertItem(each, at('s'), 2, 'x'))).toBe('"s" has no item 2.');
  });
});

describe('moving', () => {
  it.each<[string, AuthoredPath, number, number, string]>([
    ['- a\n- b # c\n- d\n', [], 0, 2, '- b # c\n- d\n- a\n'],
    ['- a\n- b # c\n- d\n', [], 2, 0, '- d\n- a\n- b # c\n'],
    [
      's:\n  # A\n  - a\n\n  # B\n  - n: b\n    # deep\n\n  - c',
      ['s'],
      0,
      1,
      's:\n  # B\n  - n: b\n    # deep\n\n  # A\n  - a\n\n  - c',
    ],
    ['- a\n\n# a section\n\n- b\n', [], 0, 1, '- b\n\n# a section\n\n- a\n'],
    ['- - a # 1\n  # two\n  - b\n', [0], 0, 1, '- # two\n  - b\n  - a # 1\n'],
    ['[a, {b: 1}, c]\n', [], 0, 2, '[{b: 1}, c, a]\n'],
    ['[\n  a, # 1\n  b # 2\n]\n', [], 0, 1, '[\n  b, # 1\n  a # 2\n]\n'],
    ['- |+\n  a\n\n- b\n\n- c\n', [], 0, 1, '- b\n- |+\n  a\n\n- c\n'],
  ])('%j: in %j from %j to %j', (text, list, from, to, after) => {
    expect(edit(text, (editable) => moveItem(editable, at(...list), from, to))).toBe(after);
  });

  it('rejects an alias before its anchor', () => {
    expect(refusal('- &x a\n- *x\n', (each) => moveItem(each, at(), 1, 0))).toBe(
      'The alias in line 2 must be after its anchor &x in line 1. Replace *x with its value first, or edit the source.',
    );
  });
});

describe('moving an entry of a map', () => {
  it.each<[string, string, string, string]>([
    [
      'e:\n  A: 1\n\n  # about B\n  B: 2 # b\nt: 1\n',
      'B',
      'A',
      'e:\n  # about B\n  B: 2 # b\n\n  A: 1\nt: 1\n',
    ],
    ['e: {A: 1, "B": 2, C: 3} # c\n', 'A', 'C', 'e: {"B": 2, C: 3, A: 1} # c\n'],
    ['e:\r\n  A: |\r\n    x\r\n  B: 2\r\n', 'A', 'B', 'e:\r\n  B: 2\r\n  A: |\r\n    x\r\n'],
    ['e: {A: 1}\n', 'A', 'A', 'e: {A: 1}\n'],
  ])('%j: %s to the position of %s', (text, key, to, after) => {
    expect(edit(text, (each) => moveKey(each, at('e'), key, to))).toBe(after);
  });

  it('rejects missing keys, and an alias before its anchor', () => {
    expect(refusal('e: {A: 1}\n', (each) => moveKey(each, at('e'), 'A', 'Z'))).toBe(
      '"e" has no field "Z" of its own.',
    );
    expect(refusal('e: [a]\n', (each) => moveKey(each, at('e'), 'A', 'B'))).toContain(
      '"e" is not a map, so its fields cannot be reordered.',
    );
    expect(refusal('e:\n  A: &x 1\n  B: *x\n', (each) => moveKey(each, at('e'), 'B', 'A'))).toContain('*x');
  });
});
