import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../core/base/json.ts';
import { type EditResult, applyChanges } from '../../../../core/edit/text-change.ts';
import type { AuthoredPath } from '../../../../core/edit/outline.ts';
import { invertChanges, getComments, editFiles, listValues } from '../../../harness/workflow-texts.ts';
import { combine } from '../../../../core/edit/yaml/text-edits.ts';
import { readEditable, type EditableText } from '../../../../core/edit/yaml/editable-text.ts';
import { insertItem, moveItem, setValue } from '../../../../core/edit/yaml/set-value.ts';
import { readValue } from '../../../../core/edit/yaml/read-value.ts';
import { removeValue } from '../../../../core/edit/yaml/remove-value.ts';
import { renameKey } from '../../../../core/edit/yaml/keys.ts';
import { fuzzing, fuzzTimeoutMs } from '../../../harness/fuzzing.ts';

const SEED = 20_261;

/** An edit, with random numbers that choose its position in the current file. */
interface Draw {
  readonly kind: 'set' | 'add' | 'remove' | 'insert' | 'move' | 'rename' | 'nest';
  readonly pick: number;
  readonly document: number;
  readonly places: readonly [number, number];
  readonly value: JsonValue;
  readonly key: string;
}

const texts = fc.oneof(
  fc.constantFrom(
    '',
    'yes',
    'no',
    '~',
    'null',
    '1.10',
    '0x1F',
    ' a',
    'a ',
    '- a',
    'a: b',
    'a:',
    'a #b',
    '#a',
    '*a',
    '&a',
    '!a',
    '%a',
    '@a',
    '`a`',
    '"a"',
    "it's",
    '[a',
    '{a}',
    'a, b',
    'a\nb',
    'a\nb\n',
    'a\n\n\nb\n\n',
    '\n',
    '\n a\n',
    '  a\n b',
    'a\tb',
    '\ta\n\tb',
    'a\r\nb',
    '---',
    '...',
    '日本 🚀',
    'echo "$X" | tee out.txt',
    '#!/bin/sh\nset -e\n\necho "done"  # ok\n',
    'x'.repeat(200),
    '?',
    '-',
    ':',
    '\u0085',
    '\uFEFF',
    'a \n b \n',
    '\u0000',
  ),
  fc.string({ maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '#', ':', '-', '"', "'", '\t', ',', ']', '|', '\\'),
    maxLength: 14,
  }),
);

const scalars = fc.oneof(
  { weight: 6, arbitrary: texts },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number || 0) },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false) },
);

const { value: values } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('name', 'A', 'b c', '1', 'x: y', 'env'), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}));

const draws: fc.Arbitrary<Draw> = fc.record({
  kind: fc.constantFrom('set', 'set', 'set', 'add', 'remove', 'remove', 'insert', 'move', 'rename', 'nest'),
  pick: fc.noBias(fc.nat(100_000)),
  document: fc.noBias(fc.nat(100)),
  places: fc.noBias(fc.tuple(fc.nat(1000), fc.nat(1000))),
  value: values,
  key: fc.constantFrom('owner', 'B', 'new key', 'x: y', '10', "'q'", '# k', 'name', 'timeoutSec'),
});

type Container = JsonValue[] | { [key: string]: JsonValue };

const isContainer = (value: JsonValue | undefined): value is Container =>
  value !== null && typeof value === 'object';

function partsOf(container: Container): (string | number)[] {
  return Array.isArray(container) ? [...container.keys()] : Object.keys(container);
}

function at(value: JsonValue, path: AuthoredPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inner, part) =>
      isContainer(inner) && Object.hasOwn(inner, part)
        ? (inner as { [key: string]: JsonValue })[part]
        : undefined,
    value,
  );
}

/** The same edit on plain data, in place. */
type PlainEdit = (root: JsonValue) => void;

interface Choice {
  readonly path: AuthoredPath;
  readonly edit: (editable: EditableText) => EditResult;
  readonly plain: PlainEdit;
  /** Whether comments in and at the value can be removed. */
  readonly mayLose: boolean;
}

/** One of the paths to a suitable value. */
function pickPath(
  root: JsonValue,
  pick: number,
  fits: (value: JsonValue, path: AuthoredPath) => boolean,
): AuthoredPath | undefined {
  const paths: AuthoredPath[] = [];
  const visit = (value: JsonValue, path: AuthoredPath): void => {
    if (fits(value, path)) paths.push(path);
    if (!isContainer(value)) return;
    for (const part of partsOf(value)) visit((value as { [key: string]: JsonValue })[part]!, [...path, part]);
  };
  visit(root, []);
  return paths[pick % paths.length];
}

function choose(
  root: JsonValue,
  document: number,
  { kind, pick, places: [first, second], value, key }: Draw,
): Choice | undefined {
  const isList = (each: JsonValue): boolean => Array.isArray(each);
  const isMap = (each: JsonValue): boolean => isContainer(each) && !Array.isArray(each);
  const isInside = (_: JsonValue, path: AuthoredPath): boolean => path.length > 0;
  switch (kind) {
    case 'set': {
      const path = pickPath(root, pick, isInside);
      if (path === undefined) return undefined;
      const edit = (editable: EditableText): EditResult => setValue(editable, { document, path }, value);
      return { path, edit, plain: (plain) => put(plain, path, value), mayLose: isContainer(at(root, path)) };
    }
    case 'remove': {
      const path = pickPath(root, pick, isInside);
      if (path === undefined) return undefined;
      return {
        path,
        edit: (editable) => removeValue(editable, { document, path }),
        plain: (plain) => drop(plain, path),
        mayLose: true,
      };
    }
    case 'add':
    case 'nest': {
      const path = pickPath(root, pick, (each) => isMap(each) && !Object.hasOwn(each as object, key));
      if (path === undefined) return undefined;
      const rest = kind === 'add' ? [key] : [key, 'deeper', 0, 'leaf'];
      const whole = kind === 'add' ? value : { deeper: [{ leaf: value }] };
      const edit = (editable: EditableText): EditResult =>
        setValue(editable, { document, path: [...path, ...rest] }, value);
      return { path, edit, plain: (plain) => put(plain, [...path, key], whole), mayLose: false };
    }
    case 'insert': {
      const path = pickPath(root, pick, isList);
      if (path === undefined) return undefined;
      const index = first % ((at(root, path) as JsonValue[]).length + 1);
      const edit = (editable: EditableText): EditResult =>
        insertItem(editable, { document, path }, index, value);
      return {
        path,
        edit,
        plain: (plain) => (at(plain, path) as JsonValue[]).splice(index, 0, value),
        mayLose: false,
      };
    }
    case 'move': {
      const path = pickPath(root, pick, (each) => Array.isArray(each) && each.length > 1);
      if (path === undefined) return undefined;
      const { length } = at(root, path) as JsonValue[];
      const [from, to] = [first % length, second % length];
      const edit = (editable: EditableText): EditResult => moveItem(editable, { document, path }, from, to);
      const plain = (whole: JsonValue): void => {
        const list = at(whole, path) as JsonValue[];
        list.splice(to, 0, ...list.splice(from, 1));
      };
      return { path, edit, plain, mayLose: false };
    }
    case 'rename': {
      const path = pickPath(root, pick, (each) => isMap(each) && Object.keys(each as object).length > 0);
      if (path === undefined) return undefined;
      const map = at(root, path) as { [key: string]: JsonValue };
      const old = Object.keys(map)[first % Object.keys(map).length]!;
      if (Object.hasOwn(map, key)) return undefined;
      const edit = (editable: EditableText): EditResult =>
        renameKey(editable, { document, path: [...path, old] }, key);
      return { path, edit, plain: (plain) => rename(plain, [...path, old], key), mayLose: false };
    }
  }
}

function put(root: JsonValue, path: AuthoredPath, value: JsonValue): void {
  (at(root, path.slice(0, -1)) as { [key: string]: JsonValue })[path.at(-1)!] = structuredClone(value);
}

function drop(root: JsonValue, path: AuthoredPath): void {
  const container = at(root, path.slice(0, -1)) as Container;
  if (Array.isArray(container)) container.splice(Number(path.at(-1)), 1);
  else delete container[String(path.at(-1))];
}

function rename(root: JsonValue, path: AuthoredPath, key: string): void {
  const map = at(root, path.slice(0, -1)) as { [key: string]: JsonValue };
  const entries = Object.entries(map);
  for (const [each] of entries) delete map[each];
  for (const [each, value] of entries) map[each === path.at(-1) ? key : each] = value;
}

/** Integer-like keys come first in JavaScript, and merged ones wherever the parser puts them. */
function isOrdered(text: string): boolean {
  return !text.includes('<<') && !/(?:^\W*|[{,]\s*['"]?)\d+\W*:/m.test(text);
}

function checkEdit(text: string, draw: Draw): string {
  const before = listValues(text);
  const document = draw.document % before.length;
  const choice = choose(before[document]!, document, draw);
  if (choice === undefined) return text;
  const editable = readEditable(text);
  const result = choice.edit(editable);
  if (!result.ok) {
    // Only anchors and merge keys prevent an edit of a file that parses.
    if (!/[&*]/.test(text)) throw new Error(`${result.reason}\n${text}`);
    return text;
  }
  const { changes } = result;
  changes.forEach(({ from, to }, index) => {
    expect(from).toBeGreaterThanOrEqual(changes[index - 1]?.to ?? 0);
    expect(to).toBeGreaterThanOrEqual(from);
    expect(to).toBeLessThanOrEqual(text.length);
  });
  const after = applyChanges(text, changes);
  const story = `${JSON.stringify(draw)} at ${JSON.stringify(choice.path)} of ${document}\n${text}\n=>\n${after}`;
  const expected = structuredClone(JSON.parse(JSON.stringify(before)) as JsonValue[]);
  for (const [index, value] of before.entries()) expected[index] = structuredClone(withoutSharing(value));
  choice.plain(expected[document]!);
  let actual: JsonValue[];
  try {
    actual = listValues(after);
  } catch (error) {
    throw new Error(`${String(error)}\n${story}`, { cause: error });
  }
  try {
    deepStrictEqual(actual, expected);
    if (isOrdered(text) && isOrdered(after)) expect(JSON.stringify(actual)).toBe(JSON.stringify(expected));
  } catch (error) {
    throw new Error(`${String(error)}\n${story}`, { cause: error });
  }
  expect(applyChanges(after, invertChanges(text, changes))).toBe(text);
  if (!choice.mayLose) {
    const left = getComments(after).map((comment) => comment.text.trim());
    for (const comment of getComments(text)) {
      const index = left.indexOf(comment.text.trim());
      if (index < 0) throw new Error(`The comment ${comment.text} is gone.\n${story}`);
      left.splice(index, 1);
    }
  } else {
    checkComments(text, after, story, zoneOf(editable, document, choice.path));
  }
  // Line endings are those of the file, and so is the end of it.
  const isCrlf = text.includes('\n') && !/[^\r]\n/.test(text);
  const isOpen = text !== '' && !text.endsWith('\n');
  if ((isCrlf && /[^\r]\n/.test(after)) || (isOpen && after.endsWith('\n'))) {
    throw new Error(`A line ends as none did before.\n${story}`);
  }
  return after;
}

const withoutSharing = (value: JsonValue): JsonValue =>
  isContainer(value)
    ? Array.isArray(value)
      ? value.map(withoutSharing)
      : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSharing(inner)]))
    : value;

/** What can be removed with a value: its lines, comments directly above, and what follows with more indentation. */
function zoneOf(editable: EditableText, document: number, path: AuthoredPath): { from: number; to: number } {
  const { text } = editable;
  const { range } = readValue(editable, { document, path })!;
  const lines = [...text.matchAll(/[^\n]*(?:\n|$)/g)].map((match) => ({ from: match.index, line: match[0] }));
  const parent = readValue(editable, { document, path: path.slice(0, -1) });
  const isIn = ({ from, line }: { from: number; line: string }): boolean =>
    from < range.to && from + line.length > (parent?.range.from ?? 0);
  const key =
    typeof path.at(-1) === 'string'
      ? lines.findLastIndex((each) => isIn(each) && each.from <= range.from)
      : 0;
  const index = Math.max(0, key - 12);
  const end = lines.findIndex(
    (each) => each.from >= range.to && each.line.trim() !== '' && !/^\s*#/.test(each.line),
  );
  return { from: lines[index]?.from ?? 0, to: end < 0 ? text.length : lines[end]!.from };
}

function checkComments(text: string, after: string, story: string, zone: { from: number; to: number }): void {
  const left = getComments(after).map((comment) => comment.text.trim());
  const unmoved = getComments(text).filter(({ at: offset }) => offset < zone.from || offset >= zone.to);
  for (const comment of unmoved) {
    const index = left.indexOf(comment.text.trim());
    if (index < 0) throw new Error(`The comment ${comment.text} is gone.\n${story}`);
    left.splice(index, 1);
  }
}

describe('random edits of files as people write them', { timeout: fuzzTimeoutMs }, () => {
  it('have 200 files', () => expect(editFiles).toHaveLength(200));

  it.each(editFiles)('preserve everything else in $name', ({ name, text }) => {
    // Each file gets its own edits.
    const seed = SEED + editFiles.findIndex((file) => file.name === name);
    fc.assert(
      fc.property(fc.noBias(fc.array(draws, { minLength: 1, maxLength: 6 })), (sequence) => {
        let current = text;
        for (const draw of sequence) current = checkEdit(current, draw);
        expect(readEditable(current).syntaxError).toBeUndefined();
      }),
      fuzzing(seed, 1, editFiles.length),
    );
  });

  it('compose changes as if applied one after the other', () => {
    const change = fc.record({ from: fc.nat(1000), length: fc.nat(4), insert: fc.string({ maxLength: 3 }) });
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.array(change, { maxLength: 6 }), (text, list) => {
        let current = text;
        const edits = list.map(({ from, length, insert }) => {
          const start = from % (current.length + 1);
          const edit = [{ from: start, to: Math.min(current.length, start + length), insert }];
          current = applyChanges(current, edit);
          return edit;
        });
        expect(applyChanges(text, combine(text, ...edits))).toBe(current);
      }),
      { seed: SEED },
    );
  });
});
