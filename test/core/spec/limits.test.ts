import { describe, expect, it } from 'vitest';
import { parseDocument, type Document, type YAMLSeq } from 'yaml';
import {
  formatTooLarge,
  MAX_ALIAS_VALUES,
  MAX_DEPTH,
  MAX_DIAGNOSTICS,
  MAX_FILE_BYTES,
  MAX_STEPS,
} from '../../../core/spec/limits.ts';
import { loadSpec } from '../../../core/spec/load.ts';

function firstError(text: string): string {
  const { workflows, diagnostics } = loadSpec({ text });
  expect(workflows).toEqual([]);
  const { line, column, message } = diagnostics[0]!;
  return `${line}:${column} ${message}`;
}

const isValid = (text: string) => loadSpec({ text }).workflows.length > 0;

describe('size', () => {
  it('can be 4 MiB and not a byte more', () => {
    expect(formatTooLarge(MAX_FILE_BYTES)).toBeUndefined();
    expect(formatTooLarge(MAX_FILE_BYTES + 1)).toMatch(
      /The file is 4\.1 MiB\. The limit for workflow files is 4 MiB\./,
    );
    const text = 'steps: [echo a]\n';
    const comment = '#'.repeat(MAX_FILE_BYTES - text.length);
    expect(isValid(text + comment)).toBe(true);
    expect(firstError(`${text}${comment}#`)).toMatch(/^1:1 The file is 4\.1 MiB/);
    expect(firstError(text + 'ä'.repeat(MAX_FILE_BYTES / 2))).toMatch(/^1:1 The file is 4\.1 MiB/);
  });
});

describe('steps', () => {
  const steps = (count: number) => `type: graph\nsteps: [${'a,'.repeat(count)}]\n`;

  it('can be 10,000 in all documents together', () => {
    expect(isValid(steps(MAX_STEPS))).toBe(true);
    expect(firstError(steps(MAX_STEPS + 1))).toMatch(
      /^2:8 The file has 10,001 steps\. The limit is 10,000; split the workflow into sub-workflows\./,
    );
    const documents = `${steps(MAX_STEPS / 2)}---\nname: b\n${steps(MAX_STEPS / 2 + 1)}`;
    expect(firstError(documents)).toMatch(/^6:8 The file has 10,001 steps/);
  });

  it('in groups and in values of a map count, too', () => {
    expect(firstError(`steps: [[${'a,'.repeat(6000)}],[${'a,'.repeat(6000)}]]`)).toMatch(/12,000 steps/);
    const map = Array.from({ length: MAX_STEPS + 1 }, (_, index) => `  s${index}: a\n`).join('');
    expect(firstError(`steps:\n${map}`)).toMatch(/10,001 steps/);
  });

  it('are limited in dependencies, so that two large groups exceed the limit', () => {
    const group = `[${'a,'.repeat(1000)}]`;
    expect(firstError(`steps: [${group}, ${group}]`)).toMatch(/more than 200,000 dependencies/);
    expect(isValid(`steps: [${group}, join, ${group}]`)).toBe(true);
  });
});

describe('depth', () => {
  it.each([
    ['[', ']'],
    ['{a: ', '}'],
    ['- ', ''],
    ['? ', ''],
    ['- - a: ', ''],
  ])('of %j is checked before anything is built', (open, close) => {
    expect(firstError(`x: 1\ny:\n  ${open.repeat(100_000)}${close.repeat(100_000)}`)).toMatch(
      /Lists and maps are nested more than 64 levels deep\. Flatten the value, or move it to a file that a step reads\./,
    );
  });

  it('allows the documented maximum', () => {
    const nested = (depth: number) =>
      `steps: [a]\nhandlerOn: ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}\n`;
    // The value is of the wrong type, but it is read.
    expect(firstError(nested(MAX_DEPTH))).toMatch(/"handlerOn" must be a map/);
    expect(firstError(nested(MAX_DEPTH + 1))).toMatch(/nested more than 64/);
  });
});

describe('aliases', () => {
  const bomb = ['x0: &x0 [a, a, a, a, a, a, a, a, a, a]'];
  for (let level = 1; level < 40; level += 1)
    bomb.push(
      `x${level}: &x${level} [${Array(10)
        .fill(`*x${level - 1}`)
        .join(', ')}]`,
    );

  it('cannot form a bomb', () => {
    expect(firstError(bomb.join('\n'))).toMatch(
      /^5:45 Aliases repeat more than 100,000 values\. Use fewer or smaller anchors\./,
    );
    expect(loadSpec({ text: bomb.join('\n') }).diagnostics).toHaveLength(1);
  });

  it('can repeat up to the limit', () => {
    const env = `env: &env {${Array.from({ length: 98 }, (_, index) => `A${index}: 1`).join(', ')}}\n`;
    const repeats = Math.floor(MAX_ALIAS_VALUES / 100) - 10;
    expect(isValid(`${env}type: graph\nsteps: [${'{command: a, env: *env},'.repeat(repeats)}]\n`)).toBe(true);
    expect(firstError(`${env}steps: [${'{command: a, env: *env},'.repeat(repeats + 30)}]\n`)).toMatch(
      /Aliases repeat/,
    );
    expect(firstError(`${env}steps: [${'{command: a, env: {<<: *env}},'.repeat(repeats + 40)}]\n`)).toMatch(
      /Aliases repeat/,
    );
  });
});

describe('values and tokens', { timeout: 60_000 }, () => {
  it('cannot be endless', () => {
    const text = 'steps: [a]\ntags: [a]';
    const document = parseDocument(text) as Document.Parsed;
    const { items } = document.get('tags') as YAMLSeq;
    // To parse so many takes seconds.
    for (let more = 0; more < 400_000; more += 1) items.push(items[0]);
    const { workflows, diagnostics } = loadSpec({ text, documents: [document] });
    expect(workflows).toEqual([]);
    expect(diagnostics[0]).toMatchObject({
      line: 2,
      column: 7,
      message: expect.stringMatching(/^The file has more than 400,000 values/),
    });
  });

  it('cannot be endless empty lines', () => {
    expect(firstError(`steps: [a]\n${'\n'.repeat(2_000_001)}`)).toMatch(/more than 2,000,000 YAML tokens/);
  });
});

describe('diagnostics', () => {
  it('stop at a readable number', () => {
    const text = Array.from({ length: 500 }, (_, index) => `unknown${index}: 1\n`).join('');
    const { diagnostics } = loadSpec({ text });
    expect(diagnostics).toHaveLength(MAX_DIAGNOSTICS + 1);
    expect(diagnostics.at(-1)!.message).toMatch(/More than 100 problems\. Fix these first to see the rest\./);
  });

  it('keep errors when there are many warnings', () => {
    const steps = Array.from({ length: 300 }, () => '- {command: a, depends: }\n').join('');
    const { diagnostics } = loadSpec({ text: `steps:\n${steps}nope: 1\n` });
    expect(diagnostics[0]).toMatchObject({ severity: 'error', line: 302, path: 'nope' });
  });
});
