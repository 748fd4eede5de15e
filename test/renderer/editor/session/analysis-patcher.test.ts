import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  mergeAnalysis,
  emptyAnalysis,
  patchAnalysis,
} from '../../../../renderer/editor/session/analysis-patch.ts';
import { AnalysisPatcher } from '../../../../renderer/editor/session/analysis-patcher.ts';
import { editFiles, analyze } from '../../../harness/workflow-texts.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const SEED = 20_261_122;

/** Steps with all kinds of references to others and to the workflow, and many without. */
const stepsOf = (begin: (name: string) => string): string =>
  Array.from({ length: 12 }, (_, index) => {
    const lines = [
      `    command: echo "hello ${index}"   # quick`,
      ...(index % 3 === 1 ? [`    depends: [s${index - 1}]`] : []),
      ...(index % 3 === 2 ? ['    Depends:', `      - s${index - 1}`, `      - id${index - 2}`] : []),
      ...(index % 3 === 0 ? [`    id: id${index}`, '    retry_policy: { limit: 2, intervalSec: 1 }'] : []),
      ...(index % 4 === 1 ? ['    env: { A: 1 }', '    output: RESULT'] : []),
      ...(index % 4 === 2 ? ['    script: |', '      set -e', '      make', '    shell: bash'] : []),
      ...(index % 5 === 4 ? ['    timeoutSec:'] : []),
    ];
    return [begin(`s${index}`), ...lines].join('\n');
  }).join('\n');

const list = stepsOf((name) => `  - name: ${name}`);
const unnamed = `steps:\n${Array.from({ length: 9 }, (_, index) =>
  index % 3 === 2 ? `- [echo a${index}, { script: "x\\ny", id: q${index} }]\n` : `- echo ${index}\n`,
).join('')}`;
const around = 'handlerOn:\n  exit: echo done\n  failure: { command: ./report, timeoutSec: 5 }\n';
const further = `---\nname: other\nsteps:\n  - name: s1\n    command: echo\n`;
const texts = [
  { name: 'graph', text: `type: graph\nsteps:\n${list}\n${around}${further}` },
  { name: 'chain', text: `env: [A: &a 1]\nsteps:\n${list}\n` },
  { name: 'map', text: `type: graph\nsteps:\n${stepsOf((name) => `  ${name}:`)}\n${around}` },
  { name: 'container', text: `container: { image: alpine }\nssh: { host: h }\nsteps:\n${list}\n` },
  { name: 'unnamed', text: unnamed },
  { name: 'unnamed, ended', text: `${unnamed}${around}` },
  { name: 'CRLF', text: `type: graph\nsteps:\n${list}\n${around}`.replaceAll('\n', '\r\n') },
];

const pieces = [
  ...['', 'x', '1', ' ', '"', '#', ': ', '- ', '&a ', '*a', '|', '\n', '\t', '{', ']', ', ', '<<: *a', '%'],
  ...[
    's1',
    'id0',
    'echo',
    'depends',
    'name: s1',
    'id: z',
    'é',
    '\r',
    'true',
    '~',
    '!!str ',
    '!mine ',
    'limit: -1',
  ],
];
const splice = fc.record({
  at: fc.nat(),
  length: fc.oneof(fc.constant(0), fc.nat(8)),
  insert: fc.constantFrom(...pieces),
  isTakenBack: fc.boolean(),
});

test('each patch gives the same result as a full analysis', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.constantFrom(...texts), fc.constantFrom(...editFiles)),
      fc.array(splice, { minLength: 1, maxLength: 8 }),
      ({ text: first }, edits) => {
        const maker = new AnalysisPatcher('etl.yaml');
        let known = emptyAnalysis;
        const follow = (text: string): void => {
          const got = patchAnalysis(known, structuredClone(maker.make(text)));
          known = mergeAnalysis(known, got);
          expect({ ...got, text }).toEqual(analyze(text, 'etl.yaml'));
        };
        follow(first);
        let text = first;
        for (const { at, length, insert, isTakenBack } of edits) {
          const from = at % (text.length + 1);
          const next = text.slice(0, from) + insert + text.slice(from + length);
          follow(next);
          if (!isTakenBack) text = next;
        }
      },
    ),
    { seed: SEED, numRuns: propertyRuns(40) },
  );
});

test('typing in a step sends only that step', () => {
  const many = Array.from({ length: 300 }, (_, index) => `  - name: s${index}\n    command: echo ${index}\n`);
  const text = `type: graph\nsteps:\n${many.join('')}${around}`;
  const maker = new AnalysisPatcher('etl.yaml');
  maker.make(text);
  const { workflows, documents, diagnostics } = maker.make(text.replace('echo 20\n', 'echo twenty\n'));
  expect(diagnostics).toBeUndefined();
  expect(workflows[0]!.steps).toMatchObject({ head: 20, middle: [{ name: 's20' }], tail: 279 });
  expect(documents[0]!.steps).toMatchObject({
    head: 20,
    middle: [{ detail: 'echo twenty' }],
    shift: { by: 4 },
  });
});
