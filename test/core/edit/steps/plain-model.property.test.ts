import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChanges, type ChangeSet } from '../../../../core/edit/text-change.ts';
import { invertChanges, getComments, editFiles } from '../../../harness/workflow-texts.ts';
import { openWorkflow } from '../../../../core/edit/steps/open-workflow.ts';
import { readEditable } from '../../../../core/edit/yaml/editable-text.ts';
import { operations, type Case } from './model/operations.ts';
import {
  type ModelStep,
  checkModel,
  hasCycle,
  listDocuments,
  readModel,
  stepsOf,
} from './model/plain-model.ts';

const SEED = 20_261_122;
/** How often all files are visited; more for a thorough search. */
const ROUNDS = Number(process.env['PROPERTY_ROUNDS'] ?? 1);
/** Edits of a file in each round. */
const EDITS = ROUNDS === 1 ? { minLength: 1, maxLength: 2 } : { minLength: 3, maxLength: 5 };

const files = editFiles.filter(({ text }) => readModel(text) !== undefined);
const hasAnchors = (text: string): boolean => /[&*][a-z]/i.test(text);

function openCase(text: string, draw: Draw): Case | undefined {
  const documents = listDocuments(text);
  const place = draw.document % documents.length;
  const document = place === 0 ? undefined : documents[place];
  const model = readModel(text, document);
  const open = openWorkflow(readEditable(text), document);
  if (model === undefined || 'reason' in open) return undefined;
  const steps = stepsOf(model);
  const names = new Map(steps.map((step, index) => [step, open.names[index]!]));
  return {
    ...{ model, a: steps[draw.a % steps.length]!, b: steps[draw.b % steps.length]!, number: draw.number },
    ...{ document, nameOf: (step: ModelStep) => names.get(step)! },
  };
}

interface Draw {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly number: number;
  /** Which workflow of the file. */
  readonly document: number;
}

/** Adds context to a failure. */
function checkAloud(text: string, draw: Draw): string {
  try {
    return check(text, draw);
  } catch (cause) {
    throw new Error(`${String(cause)}\n${JSON.stringify(draw)}\n${text}`, { cause });
  }
}

/**
 * Makes one edit and compares its effect with the intended one.
 * @returns the text after it
 */
function check(text: string, draw: Draw): string {
  const at = openCase(text, draw);
  if (at === undefined) return text;
  const operation = operations[draw.name]!;
  const result = operation.make(readEditable(text), at);
  const prediction = operation.predict(at);
  const isPossible = prediction === 'done' && !hasCycle(at.model);
  if (!result.ok) {
    expect(result.reason).toMatch(/[.!?]$/);
    if (isPossible && !hasAnchors(text)) throw new Error(result.reason);
    return text;
  }
  expect(prediction).toBe('done');
  checkRanges(text, result.changes);
  const after = applyChanges(text, result.changes);
  expect(applyChanges(after, invertChanges(text, result.changes))).toBe(text);
  // A step may be put before its dependency; then the text says so.
  if (!isPossible) return text;
  checkModel(after, at.model, { isLoose: operation.isLoose === true, document: at.document });
  checkRemaining(text, after, { mayLose: operation.mayLose === true, document: at.document });
  return stepsOf(at.model).length === 0 ? text : after;
}

function checkRanges(text: string, changes: ChangeSet): void {
  changes.forEach(({ from, to }, index) => {
    const isSound = from >= (changes[index - 1]?.to ?? 0) && to >= from && to <= text.length;
    expect(isSound).toBe(true);
  });
}

interface RestOptions {
  readonly mayLose: boolean;
  /** The edited one. */
  readonly document: number | undefined;
}

/** Comments, line ends and the end of the text stay; so do the other documents. */
function checkRemaining(text: string, after: string, { mayLose, document }: RestOptions): void {
  const left = getComments(after).map((comment) => comment.text.trim());
  for (const comment of mayLose ? [] : getComments(text)) {
    const index = left.indexOf(comment.text.trim());
    if (index < 0) throw new Error(`The comment ${comment.text} is gone.`);
    left.splice(index, 1);
  }
  const isCrlf = text.includes('\n') && !/[^\r]\n/.test(text);
  if (isCrlf && /[^\r]\n/.test(after)) throw new Error('A line ends as none did before.');
  const edited = document ?? listDocuments(text)[0];
  const documents = ({ documents: all }: ReturnType<typeof readEditable>): string[] =>
    all.filter((_, index) => index !== edited).map((other) => JSON.stringify(other.toJS()));
  expect(documents(readEditable(after))).toEqual(documents(readEditable(text)));
}

const draws = fc.record({
  name: fc.constantFrom(...Object.keys(operations)),
  a: fc.nat(50),
  b: fc.nat(50),
  number: fc.nat(1000),
  document: fc.nat(3),
});

describe('random edits of steps', { timeout: 600_000 }, () => {
  it('match a model in plain data for every file, and are undone byte for byte', () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [place, { text }] of files.entries()) {
        fc.assert(
          fc.property(fc.noBias(fc.array(draws, EDITS)), (edits) => {
            const after = edits.reduce(
              (now, draw, index) => checkAloud(now, { ...draw, number: draw.number * 10 + index }),
              text,
            );
            expect(after).toBeTypeOf('string');
          }),
          { seed: SEED + place + round * files.length, numRuns: 1 },
        );
      }
    }
  });

  it('have a prediction for every operation that some file accepts', () => {
    const [first] = files;
    for (const name of Object.keys(operations)) {
      const isTaken = files.some(({ text }, number) => {
        const at = openCase(text, { name, a: number, b: number + 1, number, document: number });
        return at !== undefined && operations[name]!.make(readEditable(text), at).ok;
      });
      expect(isTaken, `${name} in ${files.length} files such as ${first!.name}`).toBe(true);
    }
  });
});
