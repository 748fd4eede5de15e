import { describe, expect, it } from 'vitest';
import { loadSpec } from '../../../core/spec/load.ts';
import { MAX_ALIAS_CHARACTERS, MAX_DOCUMENTS, MAX_STEPS } from '../../../core/spec/limits.ts';

const check = (text: string) => loadSpec({ text, file: 'costly.yaml' }).diagnostics;
const firstMessage = (text: string): string => check(text)[0]?.message ?? 'valid';

// Quadratic work would take minutes for each of these.
describe('validates long text in linear time', () => {
  it.each([
    ['a tag of exclamation marks', '!'.repeat(400_000), 'Unknown tag suffix has no effect. Remove it.'],
    [
      'a long tag',
      `steps: !${'a'.repeat(400_000)} [echo]`,
      'Unknown tag !aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa has no effect. Remove it.',
    ],
    ['a long key of dashes', `env: {"${'-'.repeat(400_000)}": [1]}`, 'must be a string or a number'],
    ['a long key of letters', `env: {"${'a'.repeat(400_000)}": [1]}`, 'must be a string or a number'],
    [
      'a long key of brackets',
      `env: {"${'["'.repeat(200_000).replaceAll('"', '\\"')}": [1]}`,
      'must be a string',
    ],
    ['escaped quotes', `steps: [{command: [a], shell: '${'"\\'.repeat(200_000)}'}]`, 'more than 4096'],
    ['open references in SQL', `steps: [{type: sql, command: "${'${a'.repeat(150_000)}"}]`, 'valid'],
    ['one long reference in SQL', `steps: [{type: sql, command: "\${${'a'.repeat(400_000)}"}]`, 'valid'],
    ['a block scalar after a long anchor', `a: &${'a'.repeat(400_000)} |x\n b: 1\nc\n`, 'valid'],
  ])('%s', (_name, text, message) => {
    if (message === 'valid') check(text);
    else expect(firstMessage(text)).toContain(message);
  });
});

describe('limits on the cost of text', () => {
  it('stop at the first document too many', () => {
    expect(check('---\n'.repeat(200_000))).toMatchObject([
      { message: expect.stringContaining('more than 10,000 documents'), line: MAX_DOCUMENTS + 3 },
    ]);
  });

  it('stop at the first step too many, without reading on', () => {
    const text = `steps:\n${'  - echo\n'.repeat(MAX_STEPS + 200)}  - [never closed\n`;
    expect(check(text)).toMatchObject([
      { message: 'The file has more than 10,000 steps. Split it into sub-workflows.', line: 10_102 },
    ]);
  });

  it('stop explaining after a hundred errors', () => {
    const diagnostics = check('a: 1\n'.repeat(20_000));
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics[0]).toMatchObject({ line: 2, column: 1 });
    expect(check('x:\n' + '  - !t 1\n'.repeat(20_000)).length).toBeLessThan(103);
  });

  it('count the characters that aliases repeat', () => {
    const text = `x: &x ${'1'.repeat(100_000)}\nsteps: [${'*x, '.repeat(MAX_ALIAS_CHARACTERS / 100_000 + 1)}]`;
    expect(check(text).map(({ message }) => message)).toContain(
      'Aliases repeat more than 16,000,000 characters. Use fewer or smaller anchors.',
    );
  });

  it('suggest names for the first twenty invalid dependencies only', () => {
    const steps = Array.from({ length: 60 }, (_, index) => {
      const name = `${'s'.repeat(40)}${String(index).padStart(4, '0')}`;
      return `  - {name: ${name}, command: echo, depends: ${name}x}\n`;
    });
    const hints = check(`type: graph\nsteps:\n${steps.join('')}`).filter(({ message }) =>
      message.includes('Did you mean'),
    );
    expect(hints).toHaveLength(20);
  });

  it('truncate keys and values in messages', () => {
    const long = 'k'.repeat(5000);
    for (const text of [
      `? ${long}\n: {a: [}`,
      `env: {? ${long} : [1]}`,
      `maxActiveRuns: ${'1'.repeat(5000)}.5`,
    ]) {
      for (const { message, path } of check(text)) expect(message.length + path.length).toBeLessThan(1000);
    }
  });
});

describe('single carriage return', () => {
  const text = 'steps:\n  - name: a\n    script: |\n      one\n      two\n  - { name: b, command: [ }\n';

  it('ends a line, at the same positions as a line feed', () => {
    const expected = check(text);
    expect(expected).toMatchObject([{ severity: 'error', line: 6 }]);
    expect(check(text.replaceAll('\n', '\r'))).toEqual(expected);
    expect(check(text.replaceAll('\n', '\r\n'))).toMatchObject([{ line: 6, column: expected[0]!.column }]);
  });

  it('is a line feed in values', () => {
    const sound = text.replace('[ }', '[x] }');
    expect(loadSpec({ text: sound.replaceAll('\n', '\r') })).toEqual(loadSpec({ text: sound }));
  });
});
