import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeMerge, mergeTexts, type HunkChoice } from '../../../core/edit/merge-texts.ts';
import { propertyRuns } from '../../harness/fuzzing.ts';

const kinds = (base: string, mine: string, theirs: string): string[] =>
  mergeTexts(base, mine, theirs).hunks.map(({ kind }) => kind);

const base = 'name: a\n# note\nsteps:\n  - one\n  - two\n  - three\n';

describe('merging two changes', () => {
  test('accepts what only one side has changed, anywhere', () => {
    const mine = base.replace('name: a', 'name: b');
    const theirs = base.replace('  - three\n', '  - three\n  - four\n');
    expect(mergeTexts(base, mine, theirs).merged).toBe(
      'name: b\n# note\nsteps:\n  - one\n  - two\n  - three\n  - four\n',
    );
    expect(kinds(base, mine, theirs)).toEqual(['mine', 'same', 'theirs']);
  });

  test('removes lines that one side has removed', () => {
    const { merged, hunks } = mergeTexts(base, base.replace('# note\n', ''), base.replace('  - two\n', ''));
    expect(merged).toBe('name: a\nsteps:\n  - one\n  - three\n');
    expect(hunks.map(({ kind, base: lines }) => [kind, lines.length])).toEqual([
      ['same', 1],
      ['mine', 1],
      ['same', 2],
      ['theirs', 1],
      ['same', 1],
    ]);
  });

  test('accepts identical changes once', () => {
    const both = base.replace('two', '2');
    expect(mergeTexts(base, both, both).merged).toBe(both);
    expect(kinds(base, both, both)).toEqual(['same', 'both', 'same']);
  });

  test('produces no text when both changed the same lines, and composes one from choices', () => {
    const { hunks, merged } = mergeTexts(base, base.replace('two', '2'), base.replace('two', 'zwei'));
    expect(merged).toBeUndefined();
    expect(hunks[1]).toEqual({
      kind: 'conflict',
      base: ['  - two\n'],
      mine: ['  - 2\n'],
      theirs: ['  - zwei\n'],
      lines: ['  - 2\n'],
    });
    const chosen = (choice: HunkChoice) =>
      composeMerge(hunks, new Map([[1, choice]]))
        .split('\n')
        .slice(3, -2);
    expect(chosen('theirs')).toEqual(['  - one', '  - zwei']);
    expect(chosen('base')).toEqual(['  - one', '  - two']);
    expect(chosen('mine-then-theirs')).toEqual(['  - one', '  - 2', '  - zwei']);
    expect(chosen('theirs-then-mine')).toEqual(['  - one', '  - zwei', '  - 2']);
  });

  test('needs a choice when there was no text before', () => {
    expect(kinds('', 'a\n', 'b\n')).toEqual(['conflict']);
    expect(mergeTexts('', '', '')).toEqual({ hunks: [], merged: '' });
    expect(mergeTexts('', '', 'b').merged).toBe('b');
  });
});

describe('line endings', () => {
  const windows = (text: string): string => text.replaceAll('\n', '\r\n');

  test('are preserved', () => {
    const mine = windows(base).replace('name: a', 'name: b');
    expect(mergeTexts(windows(base), mine, windows(base).replace('three', '3')).merged).toBe(
      mine.replace('three', '3'),
    );
  });

  test('changed throughout by one side do not conflict with a change of the other', () => {
    const mine = base.replace('two', '2');
    expect(mergeTexts(base, mine, windows(base)).merged).toBe(windows(mine));
    expect(mergeTexts(base, windows(base), mine).merged).toBe(windows(mine));
  });

  test('at the end of the text can be missing, added and removed', () => {
    const bare = base.slice(0, -1);
    expect(mergeTexts(bare, bare.replace('one', '1'), bare).merged).toBe(bare.replace('one', '1'));
    expect(mergeTexts(bare, bare.replace('one', '1'), base).merged).toBe(base.replace('one', '1'));
    expect(mergeTexts(base, base.replace('one', '1'), bare).merged).toBe(bare.replace('one', '1'));
  });

  test('are added between two lines that are joined', () => {
    const { hunks } = mergeTexts('a\n', 'a\nb', 'a\nc');
    expect(composeMerge(hunks, new Map([[1, 'mine-then-theirs']]))).toBe('a\nb\nc');
  });
});

const line = fc.constantFrom('a', 'b', 'c', '', '- x', 'constructor');
const ending = fc.constantFrom('\n', '\n', '\n', '\r\n');
const text = fc
  .tuple(fc.array(fc.tuple(line, ending), { maxLength: 12 }), fc.constantFrom('', 'last'))
  .map(([lines, rest]) => lines.flat().join('') + rest);

describe('any three texts', () => {
  test('yield one side when all its hunks are chosen', () => {
    fc.assert(
      fc.property(text, text, text, (original, mine, theirs) => {
        const { hunks, merged } = mergeTexts(original, mine, theirs);
        const all = (choice: HunkChoice): string =>
          composeMerge(hunks, new Map(hunks.map((_, index) => [index, choice])));
        expect([all('base'), all('mine'), all('theirs')]).toEqual([original, mine, theirs]);
        expect(merged === undefined).toBe(hunks.some(({ kind }) => kind === 'conflict'));
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test('merge to the other side when one has changed nothing, and to the same from both sides', () => {
    fc.assert(
      fc.property(text, text, text, (original, mine, theirs) => {
        expect(mergeTexts(original, mine, original).merged).toBe(mine);
        expect(mergeTexts(original, original, theirs).merged).toBe(theirs);
        const { merged } = mergeTexts(original, mine, theirs);
        expect(mergeTexts(original, theirs, mine).merged === undefined).toBe(merged === undefined);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test('keep both changes when they do not overlap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), (left, right) => {
        fc.pre(Math.abs(left - right) > 1);
        const lines = Array.from({ length: 10 }, (_, index) => `line ${index}\n`);
        const changed = (place: number, word: string): string => lines.with(place, word).join('');
        const { merged } = mergeTexts(lines.join(''), changed(left, 'mine\n'), changed(right, 'theirs\n'));
        expect(merged).toBe(lines.with(left, 'mine\n').with(right, 'theirs\n').join(''));
      }),
    );
  });
});
