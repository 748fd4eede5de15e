import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAlias, isCollection, isMap, isScalar, type Document, type Pair } from 'yaml';
import { readEditable, type EditableText } from '../../../../core/edit/yaml/editable-text.ts';
import { getEntries } from '../../../../core/edit/yaml/entries.ts';
import { editFiles } from '../../../harness/workflow-texts.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const SEED = 20_261_122;

/** Everything that edits ask of a value: its type, and where it and its tokens are. */
function describeNode(node: unknown): unknown {
  if (isAlias(node)) return { alias: node.source, range: node.range };
  if (isScalar(node)) {
    const { value, source, type, range, anchor, tag } = node;
    return { value, source, type, range, anchor, tag };
  }
  if (!isCollection(node)) return node;
  return {
    ...{ flow: node.flow, range: node.range, anchor: node.anchor, tag: node.tag },
    entries: getEntries(node).map(({ collection: _c, key: _k, value, ...entry }) => ({
      ...entry,
      isEmpty: value === null,
    })),
    items: isMap(node)
      ? node.items.map(({ key, value }: Pair) => [describeNode(key), describeNode(value)])
      : node.items.map(describeNode),
  };
}

const describeAll = ({ syntaxError, documents }: EditableText): unknown => ({
  syntaxError,
  documents: documents.map(({ contents, range, warnings }) => ({
    ...{ range, contents: describeNode(contents) },
    warnings: warnings.map(({ code, pos }) => ({ code, pos })),
  })),
});

const many = Array.from(
  { length: 40 },
  (_, step) => `  # about ${step}\n  - name: s${step}\n    command: echo ${step}\n    env: { A: ${step} }\n`,
);
const long = `type: graph\nsteps:\n${many.join('')}tags: [a]\n---\nname: b\nsteps: [x]\n`;

const named = many.map(
  (_, step) => `  # about ${step}\n  s${step}:\n    command: echo ${step}\n    env: { A: ${step} }\n`,
);
const map = `type: graph\nsteps:\n${named.join('')}tags: [a]\n---\nname: b\nsteps: [x]\n`;

const stepsOf = ({ documents }: EditableText): readonly unknown[] => {
  const steps = (documents[0] as Document.Parsed).get('steps');
  if (!isCollection(steps)) throw new Error('no steps');
  return steps.items;
};

/** Snippets that change the meaning of lines. */
const pieces = [
  '',
  ' ',
  'x',
  '\n',
  '- ',
  '  - y\n',
  '"',
  '#',
  ': ',
  '&a ',
  '*a',
  '|\n',
  '\t',
  '!mine ',
  '---\n',
  '[',
  '}',
];
const splice = fc.record({ at: fc.nat(), length: fc.nat(40), insert: fc.constantFrom(...pieces) });

describe('reparsing changed text', { timeout: 60_000 }, () => {
  it('equals parsing the whole text', () => {
    const files = [...editFiles, { name: 'long', text: long }, { name: 'map', text: map }];
    fc.assert(
      fc.property(
        fc.constantFrom(...files),
        fc.array(splice, { minLength: 1, maxLength: 5 }),
        ({ text }, edits) => {
          let editable = readEditable(text);
          expect(editable.documents.length).toBeGreaterThan(0);
          for (const { at, length, insert } of edits) {
            const from = at % (editable.text.length + 1);
            const next = editable.text.slice(0, from) + insert + editable.text.slice(from + length);
            editable = readEditable(next, editable);
            expect(describeAll(editable)).toEqual(describeAll(readEditable(next)));
          }
        },
      ),
      { seed: SEED, numRuns: propertyRuns(200) },
    );
  });

  it('keeps unchanged steps, whatever happens to the others', () => {
    const before = readEditable(long);
    const old = stepsOf(before);
    const later = long.replace('echo 20', 'echo twenty').replace(many[30]!, '');
    const now = readEditable(later, before);
    const steps = stepsOf(now);
    expect(steps.slice(0, 20)).toEqual(old.slice(0, 20));
    expect(steps.slice(0, 20).every((step, index) => step === old[index])).toBe(true);
    expect(describeAll(now)).toEqual(describeAll(readEditable(later)));
    // What was parsed before does not change.
    expect(describeAll(before)).toEqual(describeAll(readEditable(long)));
  });

  it('keeps the steps of a map as well, whatever their names', () => {
    const before = readEditable(map);
    const old = stepsOf(before);
    const later = map.replace('echo 20', 'echo twenty').replace('  s30:', '  thirty:');
    const now = readEditable(later, before);
    expect(stepsOf(now)[10]).toBe(old[10]);
    expect(describeAll(now)).toEqual(describeAll(readEditable(later)));
    const order = [named[39]!, ...named.slice(0, 39)];
    const moved = map.replace(named.join(''), order.join(''));
    expect(describeAll(readEditable(moved, now))).toEqual(describeAll(readEditable(moved)));
  });

  it('keeps the warnings of unchanged steps', () => {
    const before = readEditable(long.replace('echo 20', '!mine echo 20'));
    expect(before.documents[0]!.warnings).toHaveLength(1);
    const later = before.text.replace('echo 30', 'echo thirty');
    expect(describeAll(readEditable(later, before))).toEqual(describeAll(readEditable(later)));
  });

  it('finds steps that were reordered', () => {
    const order = [many[39]!, ...many.slice(0, 10), many[25]!, ...many.slice(10, 25), ...many.slice(26, 39)];
    const moved = long.replace(many.join(''), order.join(''));
    expect(describeAll(readEditable(moved, readEditable(long)))).toEqual(describeAll(readEditable(moved)));
  });

  it('continues from the last valid state', () => {
    const sound = readEditable(long);
    const first = stepsOf(sound)[0];
    const broken = readEditable(long.replace('echo 20', 'echo: "'), sound);
    expect(broken.syntaxError).toBeDefined();
    const mended = readEditable(long.replace('echo 20', 'echo'), broken);
    expect(stepsOf(mended)[0]).toBe(first);
  });
});
