import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import type { Step } from '../../../core/model/step.ts';
import { formatDiagnosticWithExcerpt } from '../../../core/spec/format-diagnostic.ts';
import { loadSpec } from '../../../core/spec/load.ts';
import { formatParamText, mergeParams, parseParamText, parseParamTokens } from '../../../core/spec/params.ts';
import { splitWords } from '../../../core/spec/split-words.ts';
import { fuzzing, fuzzTimeoutMs, propertyRuns } from '../../harness/fuzzing.ts';
import { readFixture } from '../../harness/workflow-texts.ts';

const SEED = 20_261_120;

/** Violations of what must hold for every text: a result, positions inside the text, no exceptions. */
function findProblems(text: string): unknown[] {
  const { workflows, diagnostics } = loadSpec({ text, file: 'any.yaml' });
  const lines = text.replace(/^\uFEFF/, '').split(/\n|\r(?!\n)/);
  const isRefused = diagnostics.some(({ severity }) => severity === 'error');
  return [
    ...(workflows.length > 0 === isRefused ? ['a result without a reason'] : []),
    ...diagnostics.filter((diagnostic) => !isPlaced(diagnostic, lines)),
    ...diagnostics.filter(({ message }) => !/[.!?]$/.test(message)),
    ...diagnostics
      .slice(0, 3)
      // An empty file has no line to show.
      .filter((diagnostic) => text !== '' && !formatDiagnosticWithExcerpt(diagnostic, text).includes('^')),
    ...workflows.filter(({ steps }) => !isWired(steps)),
  ];
}

function expectValid(text: string): void {
  expect(findProblems(text)).toEqual([]);
}

function isPlaced({ line, column }: Diagnostic, lines: readonly string[]): boolean {
  const text = lines[line - 1];
  return text !== undefined && column >= 1 && column <= text.length + 1;
}

/** Names are unique, and dependencies exist. */
function isWired(steps: readonly Step[]): boolean {
  const names = new Set(steps.map(({ name }) => name));
  return (
    names.size === steps.length && steps.every(({ depends }) => depends.every((name) => names.has(name)))
  );
}

const words = fc.constantFrom(
  'steps',
  'name',
  'command',
  'depends',
  'env',
  'params',
  'run',
  'script',
  'shell',
  'retryPolicy',
  'limit',
  'handlerOn',
  'a',
  'echo a',
  '1',
  '-1',
  'true',
  'null',
  '~',
  '""',
  "'",
  '"',
  ': ',
  ':',
  '- ',
  '-',
  '? ',
  '[',
  ']',
  '{',
  '}',
  ',',
  '\n',
  '\n  ',
  '\n    ',
  '\n- ',
  '\t',
  ' ',
  '#',
  '&a ',
  '*a',
  '<<: *a',
  '!x ',
  '!!str ',
  '|',
  '>',
  '|\n',
  '---\n',
  '...\n',
  '%YAML 1.1\n',
  '\r\n',
  '\uFEFF',
  '\u0000',
  '\u2028',
  '😀',
  '__proto__',
  'constructor',
  '${A}',
  '`',
  '@',
  '\\',
  '"\\u',
  '0x1F',
  '.inf',
  '1e999',
);

/** Text composed of YAML and workflow syntax, which random characters rarely form. */
const soup = fc.array(words, { maxLength: 60 }).map((parts) => parts.join(''));

const samples = ['valid', 'invalid'].flatMap((kind) =>
  readdirSync(join(import.meta.dirname, '../../fixtures/workflows', kind))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFixture(`${kind}/${name}`)),
);

/** A sample with some fragments removed, doubled or replaced. */
const mutated = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.array(fc.tuple(fc.nat(4000), fc.nat(12), fc.oneof(words, fc.string({ maxLength: 5 }))), {
      minLength: 1,
      maxLength: 6,
    }),
  )
  .map(([text, edits]) =>
    edits.reduce((current, [at, removed, added]) => {
      const start = at % (current.length + 1);
      return current.slice(0, start) + added + current.slice(start + removed);
    }, text),
  );

/** Four properties of texts divide the time between them. */
const shares = 4;

describe('loadSpec', { timeout: fuzzTimeoutMs }, () => {
  it('returns a result for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), expectValid),
      fuzzing(SEED, 25, shares),
    );
    fc.assert(fc.property(soup, expectValid), fuzzing(SEED, 25, shares));
  });

  it('returns a result for any typo in a real file', () => {
    fc.assert(fc.property(mutated, expectValid), fuzzing(SEED, 25, shares));
  });

  it('returns a result for any value of any field', () => {
    const document = fc.dictionary(
      fc.constantFrom(
        'name',
        'type',
        'steps',
        'env',
        'params',
        'shell',
        'schedule',
        'handlerOn',
        'preconditions',
        'tags',
        'timeout',
        'maxActiveRuns',
        'smtp',
      ),
      fc.oneof(
        fc.jsonValue({ maxDepth: 2 }),
        fc.array(
          fc.dictionary(
            fc.constantFrom(
              'name',
              'id',
              'command',
              'run',
              'depends',
              'env',
              'output',
              'continueOn',
              'retryPolicy',
              'type',
              'params',
            ),
            fc.jsonValue({ maxDepth: 2 }),
          ),
        ),
      ),
    );
    fc.assert(
      fc.property(document, (value) => {
        expect(findProblems(JSON.stringify(value))).toEqual([]);
      }),
      fuzzing(SEED, 25, shares),
    );
  });
});

describe('parameters', () => {
  const parameter = fc.record({
    name: fc.stringMatching(/^[A-Z][A-Z0-9_]{0,8}$/),
    value: fc.string({ maxLength: 20 }),
  });

  it('survive formatting and parsing, whatever they contain', () => {
    const name = fc.stringMatching(/^([A-Za-z_][A-Za-z0-9_.-]{0,9}|[1-9][0-9]{0,4})$/);
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('"', "'", '`', '\\', ' ', '\n', '=', 'a', '$') }),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ name, value }, { noNullPrototype: true })), (params) => {
        expect(parseParamText(formatParamText(params))).toEqual(params);
      }),
      { seed: SEED, numRuns: propertyRuns(1000) },
    );
  });

  it('survive as tokens, whatever they contain', () => {
    fc.assert(
      fc.property(fc.array(parameter), (params) => {
        expect(parseParamTokens(params.map(({ name, value }) => `${name}=${value}`))).toEqual(params);
      }),
      { seed: SEED },
    );
  });

  it('never fail, and override each default by its name', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (text, tokens) => {
        const defaults = parseParamText(text);
        const overrides = parseParamTokens(tokens);
        const merged = mergeParams(defaults, overrides);
        expect(merged.slice(0, defaults.length).map(({ name }) => name)).toEqual(
          defaults.map(({ name }) => name),
        );
        expect(merged.length).toBeLessThanOrEqual(defaults.length + overrides.length);
        splitWords(text);
      }),
      { seed: SEED },
    );
  });
});

/**
 * Linear work shows as a bound on growth: tests must not assert times, so these texts are simply so long that quadratic
 * work would exceed the timeout of the suite many times over.
 */
describe('long text', { timeout: 60_000 }, () => {
  it.each([
    ['open flow lists of values', `env: [${'{},'.repeat(20_000)}]`],
    ['keys', Array.from({ length: 20_000 }, (_, index) => `k${index}: 1\n`).join('')],
    ['one repeated key', 'a: 1\n'.repeat(20_000)],
    ['wrong types', `tags: [${'{},'.repeat(20_000)}]`],
    ['commas', `{${','.repeat(100_000)}`],
    ['closing brackets', ']'.repeat(100_000)],
    ['open quotes', 'a: "'.repeat(100_000)],
    ['quotes in parameters', `params: '${'"a\\" '.repeat(200_000)}'\nsteps: [a]`],
    ['escapes in parameters', `params: '"${'\\"'.repeat(500_000)}'\nsteps: [a]`],
    ['anchors', `steps: [${'&a b,'.repeat(9_000)}*a]`],
    ['tabs', '\t- a\n'.repeat(15_000)],
    ['documents', '---\na: 1\n'.repeat(8_000)],
    [
      'unknown dependencies',
      `type: graph\nsteps:\n${Array.from({ length: 9_000 }, (_, index) => `- {command: a, depends: step-${index}}\n`).join('')}`,
    ],
    ['huge names', `steps:\n- {name: ${'n'.repeat(500_000)}, command: a, depends: ${'m'.repeat(500_000)}}`],
  ])('%s', (_, text) => {
    expect(findProblems(text)).toEqual([]);
  });
});
