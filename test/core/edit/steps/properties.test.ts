import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EditResult, applyChanges } from '../../../../core/edit/text-change.ts';
import { addStep, insertOnEdge } from '../../../../core/edit/steps/add-step.ts';
import { copySteps } from '../../../../core/edit/steps/copy-steps.ts';
import { duplicateSteps, pasteSteps } from '../../../../core/edit/steps/paste-steps.ts';
import { convertToGraph, moveStep } from '../../../../core/edit/steps/convert.ts';
import { setStepField } from '../../../../core/edit/steps/set-step-field.ts';
import { removeSteps } from '../../../../core/edit/steps/remove-steps.ts';
import { renameStep, setId } from '../../../../core/edit/steps/rename-step.ts';
import { connect, disconnect } from '../../../../core/edit/steps/connect.ts';
import { invertChanges, step } from '../../../harness/workflow-texts.ts';
import { readEditable, type EditableText } from '../../../../core/edit/yaml/editable-text.ts';
import type { Step } from '../../../../core/model/step.ts';
import type { Workflow } from '../../../../core/model/workflow.ts';
import { loadSpec } from '../../../../core/spec/load.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const SEED = 20_261_122;
const folder = join(import.meta.dirname, '../../../fixtures/edit');
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
  .filter(({ text }) => load(text).length > 0);

function load(text: string): Workflow[] {
  return loadSpec({ text, file: 'any.yaml' }).workflows;
}

/** What a step does and depends on, by index, without its name and position. */
type Meaning = Omit<Step, 'at' | 'name' | 'depends'> & { readonly waitsFor: readonly number[] };

function meaningOf({ steps }: Workflow): Meaning[] {
  const places = new Map(steps.map(({ name }, index) => [name, index]));
  return steps.map(({ at: _at, name: _name, depends, ...rest }) => ({
    ...rest,
    waitsFor: depends.map((name) => places.get(name)!).toSorted((a, b) => a - b),
  }));
}

/** A workflow and two positions in it. */
interface Case {
  readonly main: Workflow;
  readonly a: number;
  readonly b: number;
}

/** An edit and what the steps mean after it; undefined where the case cannot predict it. */
interface Operation {
  make(editable: EditableText, at: Case): EditResult;
  intend(at: Case): readonly Meaning[] | undefined;
  /** New name of each step by its old index, when the steps are the same. */
  readonly renames?: (at: Case) => string;
}

const nameAt = ({ main }: Case, place: number) => step(main.steps[place]!.name);

/** All but one, with the dependencies of the others adjusted. */
function without(meaning: readonly Meaning[], gone: number, reconnect: boolean): Meaning[] {
  const shift = (place: number): number => (place > gone ? place - 1 : place);
  return meaning.flatMap((each, place) => {
    if (place === gone) return [];
    const joined = each.waitsFor.flatMap((other) =>
      other !== gone ? [other] : reconnect ? meaning[gone]!.waitsFor : [],
    );
    return [{ ...each, waitsFor: [...new Set(joined)].map(shift).toSorted((x, y) => x - y) }];
  });
}

const inGraph = ({ main }: Case, make: () => Meaning[]): Meaning[] | undefined =>
  main.type === 'graph' ? make() : undefined;

const withWait = (meaning: readonly Meaning[], place: number, waitsFor: readonly number[]): Meaning[] =>
  meaning.map((each, index) =>
    index === place ? { ...each, waitsFor: waitsFor.toSorted((x, y) => x - y) } : each,
  );

const operations: Readonly<Record<string, Operation>> = {
  rename: {
    make: (editable, at) => renameStep(editable, nameAt(at, at.a), 'a new: name'),
    intend: ({ main }) => meaningOf(main),
  },
  describe: {
    make: (editable, at) =>
      setStepField(editable, nameAt(at, at.a), { field: ['description'], value: 'new' }),
    intend: ({ main, a }) =>
      meaningOf(main).map((each, place) => (place === a ? { ...each, description: 'new' } : each)),
  },
  setId: {
    make: (editable, at) => setId(editable, nameAt(at, at.a), 'quite-new'),
    intend: ({ main, a }) =>
      main.steps[a]!.id === undefined
        ? meaningOf(main).map((each, place) => (place === a ? { ...each, id: 'quite-new' } : each))
        : undefined,
  },
  remove: {
    make: (editable, at) => removeSteps(editable, [nameAt(at, at.a)]),
    intend: (at) => inGraph(at, () => without(meaningOf(at.main), at.a, false)),
  },
  reconnect: {
    make: (editable, at) => removeSteps(editable, [nameAt(at, at.a)], { reconnect: true }),
    intend: (at) => inGraph(at, () => without(meaningOf(at.main), at.a, true)),
  },
  connect: {
    make: (editable, at) => connect(editable, nameAt(at, at.a), nameAt(at, at.b)),
    intend: (at) => {
      const meaning = meaningOf(at.main);
      return withWait(meaning, at.b, [...meaning[at.b]!.waitsFor, at.a]);
    },
  },
  disconnect: {
    make: (editable, at) => disconnect(editable, nameAt(at, at.a), nameAt(at, at.b)),
    intend: (at) => {
      const meaning = meaningOf(at.main);
      return withWait(
        meaning,
        at.b,
        meaning[at.b]!.waitsFor.filter((place) => place !== at.a),
      );
    },
  },
  move: {
    make: (editable, at) => moveStep(editable, nameAt(at, at.a), { after: nameAt(at, at.b) }),
    intend: () => undefined,
  },
  duplicate: {
    make: (editable, at) => duplicateSteps(editable, [nameAt(at, at.a), nameAt(at, at.b)]),
    intend: () => undefined,
  },
  add: {
    make: (editable, at) =>
      addStep(editable, { step: 'echo new', name: 'brand new', after: nameAt(at, at.a) }),
    intend: () => undefined,
  },
  toGraph: {
    make: (editable) => convertToGraph(editable),
    intend: ({ main }) => meaningOf(main),
  },
  onEdge: {
    make: (editable, at) =>
      insertOnEdge(editable, {
        source: nameAt(at, at.a),
        target: nameAt(at, at.b),
        step: 'echo',
        name: 'between',
      }),
    intend: () => undefined,
  },
};

function check(text: string, name: string, a: number, b: number): string {
  const [main] = load(text);
  if (main === undefined || main.steps.length === 0) return text;
  const at: Case = { main, a: a % main.steps.length, b: b % main.steps.length };
  const result = operations[name]!.make(readEditable(text), at);
  if (!result.ok) {
    expect(result.reason).toMatch(/[.!?]$/);
    return text;
  }
  const after = applyChanges(text, result.changes);
  expect(applyChanges(after, invertChanges(text, result.changes))).toBe(text);
  const { workflows, diagnostics } = loadSpec({ text: after, file: 'any.yaml' });
  const errors = diagnostics.filter(
    ({ severity, message }) => severity === 'error' && !message.includes('has no steps'),
  );
  expect(errors, `${name} of ${at.a}, ${at.b}\n${after}`).toEqual([]);
  const intended = operations[name]!.intend(at);
  if (intended !== undefined && workflows[0] !== undefined)
    expect(meaningOf(workflows[0]), `${name} of ${at.a}, ${at.b}\n${text}\n=====\n${after}`).toEqual(
      intended,
    );
  expect(workflows.slice(1).map(meaningOf)).toEqual(
    workflows[0] === undefined ? [] : load(text).slice(1).map(meaningOf),
  );
  return after;
}

describe('step edits', { timeout: 60_000 }, () => {
  it('mean what is intended, in every file and in sequence', () => {
    const names = Object.keys(operations);
    fc.assert(
      fc.property(
        fc.constantFrom(...files),
        fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(50), fc.nat(50)), { minLength: 1, maxLength: 4 }),
        ({ text }, edits) => {
          expect(edits.reduce((current, [name, a, b]) => check(current, name, a, b), text)).toBeTypeOf(
            'string',
          );
        },
      ),
      { seed: SEED, numRuns: propertyRuns(20) },
    );
  });

  it('add and copy steps without touching any other line', () => {
    for (const { name, text } of files) {
      const [main] = load(text);
      if (/^ *steps: *\[/im.test(text) || /- \[/.test(text)) continue;
      const ref = step(main!.steps.at(-1)!.name);
      for (const result of [
        addStep(readEditable(text), { step: 'echo', name: 'brand new', before: ref }),
        duplicateSteps(readEditable(text), [ref]),
      ]) {
        if (!result.ok) throw new Error(`${name}: ${result.reason}`);
        expect(
          result.changes.map(({ from, to }) => to - from),
          `in ${name}`,
        ).toEqual(result.changes.map(() => 0));
      }
    }
  });

  it('rename a step of each file without changing its meaning otherwise', () => {
    const renamed = files.filter(({ text }) => check(text, 'rename', 1, 0) !== text);
    expect(renamed.length).toBeGreaterThan(files.length / 2);
  });

  it('copy steps as text that another workflow accepts', () => {
    for (const { name, text } of files) {
      const [main] = load(text);
      const copied = copySteps(
        readEditable(text),
        main!.steps.slice(0, 3).map((each) => step(each.name)),
      );
      if (!copied.ok) continue;
      const target = 'type: graph\nsteps:\n  - name: own\n    command: x\n';
      const pasted = pasteSteps(readEditable(target), copied.text);
      expect(pasted.ok, `${name}\n${copied.text}`).toBe(true);
      if (pasted.ok) {
        const after = applyChanges(target, pasted.changes);
        const steps = load(after)[0]?.steps.slice(1);
        expect(
          steps?.map(({ command: _c, ...each }: { command?: string } & Step) => each.env),
          `in ${after}`,
        ).toEqual(main!.steps.slice(0, 3).map(({ env }) => env));
      }
    }
  });
});
