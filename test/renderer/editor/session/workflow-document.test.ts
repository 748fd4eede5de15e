import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { Lexer } from 'yaml';
import {
  mergeAnalysis,
  emptyAnalysis,
  patchAnalysis,
  type AnalysisPatch,
} from '../../../../renderer/editor/session/analysis-patch.ts';
import {
  WorkflowDocument,
  type DocumentQuery,
} from '../../../../renderer/editor/session/workflow-document.ts';
import { editFiles, analyze } from '../../../harness/workflow-texts.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const SEED = 20_261_122;

/** Asks about successive versions of a text. */
function openDocument() {
  const document = new WorkflowDocument();
  let version = 0;
  const ask = (text: string, query: DocumentQuery) => {
    version += 1;
    return document.answer({ version, text, file: 'etl.yaml', kind: 'workflow', query });
  };
  return { ask, analyze: (text: string) => ask(text, { kind: 'analysis' }) as AnalysisPatch };
}

afterEach(() => {
  vi.restoreAllMocks();
});

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
        const maker = openDocument();
        let known = emptyAnalysis;
        const follow = (text: string): void => {
          const got = patchAnalysis(known, structuredClone(maker.analyze(text)));
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
  const { analyze: patch } = openDocument();
  patch(text);
  const { workflows, documents, diagnostics } = patch(text.replace('echo 20\n', 'echo twenty\n'));
  expect(diagnostics).toBeUndefined();
  expect(workflows[0]!.steps).toMatchObject({ head: 20, middle: [{ name: 's20' }], tail: 279 });
  expect(documents[0]!.steps).toMatchObject({
    head: 20,
    middle: [{ detail: 'echo twenty' }],
    shift: { by: 4 },
  });
});

/** Counts the characters that the YAML parser reads. */
function countParsed(): () => number {
  const lex = vi.spyOn(Lexer.prototype, 'lex');
  return () => {
    const count = lex.mock.calls.reduce((sum, [source]) => sum + source.length, 0);
    lex.mockClear();
    return count;
  };
}

const one = (name: string) => ({ section: 'step' as const, name });

/** What the views ask about each version. */
const queries: readonly DocumentQuery[] = [
  { kind: 'analysis' },
  { kind: 'inspection', refs: [one('s3')] },
  { kind: 'copy', refs: [one('s3')] },
  { kind: 'edit', request: { kind: 'connect', source: one('s3'), step: one('s5') } },
];

test.each(texts.slice(0, 2))(
  'a version is parsed once for all views, where it differs: $name',
  ({ text }) => {
    const parsed = countParsed();
    const { ask } = openDocument();
    const askAll = (version: string): number => {
      for (const query of queries) ask(version, query);
      return parsed();
    };
    expect(askAll(text)).toBe(text.length);
    expect(askAll(text)).toBe(0);
    const steps = text.indexOf('s11');
    const aroundSteps = text.length - steps + text.indexOf('s0');
    expect(askAll(text.replace('hello 3', 'hello three'))).toBeLessThan(aroundSteps + 300);
  },
);

test.each([
  ['in flow style', 'steps: [{ name: s3, command: a }, { name: s5, command: b }]\n'],
  ['with an error', 'steps:\n  - name: s3\n    command: "a\n  - name: s5\n'],
])('a text %s is parsed as a whole, once', (_what, text) => {
  const parsed = countParsed();
  const { ask } = openDocument();
  for (const version of [text, `# ${text}`]) {
    for (const query of queries) ask(version, query);
    expect(parsed()).toBe(version.length);
  }
});
