import { expect, test } from 'vitest';
import {
  diffAnalysis,
  mergeAnalysis,
  emptyAnalysis,
  patchAnalysis,
} from '../../../../renderer/editor/session/analysis-patch.ts';
import { analyze } from '../../../harness/workflow-texts.ts';

const step = (name: string, more = ''): string => `  - name: ${name}\n    command: echo ${name}\n${more}`;
const file = (...steps: readonly string[]): string => `type: graph\nsteps:\n${steps.join('')}`;

/** Both sides of the worker, for consecutive texts. */
function follow(...texts: readonly string[]) {
  let [ours, theirs] = [emptyAnalysis, emptyAnalysis];
  return texts.map((text) => {
    const { text: _, ...now } = analyze(text, 'etl.yaml');
    const patch = structuredClone(diffAnalysis(ours, now));
    ours = mergeAnalysis(ours, now);
    const got = patchAnalysis(theirs, patch);
    theirs = mergeAnalysis(theirs, got);
    return { now, got, patch, known: theirs };
  });
}

test('the reassembled analysis equals the original, for any texts', () => {
  const texts = [
    file(step('a'), step('b'), step('c')),
    file(step('a'), step('b', '    timeoutSec: 5\n'), step('c')),
    file(step('a'), step('new'), step('b'), step('c', '    depends: [a]\n')),
    `# above\n\n${file(step('c'), step('a'))}handlerOn:\n  exit: echo done\n`,
    'steps: [',
    file(step('a'), '  - nam: wrong\n'),
    '',
    'steps:\n  one: echo 1\n  two:\n    command: echo 2\n',
    'steps:\n  zero: echo 0\n  one: echo 1\n  two:\n    command: echo 2\n',
    'steps:\n  - echo 1\n  - [echo 2, echo 3]\n  - echo 4\n',
    'steps:\n  - echo 0\n  - echo 1\n  - [echo 2, echo 3]\n  - echo 4\n',
    `${file(step('a'))}---\nname: inner\n${file(step('b'), step('c'))}`,
    `${file(step('a'), step('d'))}---\nname: inner\n${file(step('x'), step('b'), step('c'))}`,
  ];
  for (const { now, got } of follow(...texts)) expect(got).toEqual(now);
});

test('a step unaffected by an edit keeps its identity, and is not sent again', () => {
  const steps = Array.from({ length: 50 }, (_, index) => step(`s${index}`));
  const edited = steps.with(20, step('s20', '    timeoutSec: 5\n'));
  const [first, second] = follow(file(...steps), file(...edited));
  expect(second!.patch.workflows[0]!.steps.middle.map(({ name }) => name)).toEqual(['s20']);
  expect(second!.patch.documents[0]!.steps.middle.map(({ name }) => name)).toEqual(['s20']);
  const outlines = [first!, second!].map(({ got }) => got.outline.documents[0]!.steps);
  expect(outlines[1]![19]).toBe(outlines[0]![19]);
  const models = [first!, second!].map(({ got }) => got.workflows[0]!.steps);
  expect(models[1]![19]).toBe(models[0]![19]);
  expect(second!.got.diagnostics).toBe(first!.known.diagnostics);
});

test('temporarily invalid YAML does not cause a full resend', () => {
  const text = file(step('a'), step('b'), step('c'));
  const [, , third] = follow(text, `${text}"`, text.replace('echo b', 'echo other'));
  expect(third!.patch.documents[0]!.steps.middle.map(({ name }) => name)).toEqual(['b']);
});
