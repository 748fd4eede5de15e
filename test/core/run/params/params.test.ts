import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { TestEngine, stdoutOf } from '../../../harness/engine.ts';

const show = 'printf "%s|" "$1" "$2" "$FIRST" "$SECOND"';

describe('parameters', () => {
  // A positional value replaces the positional default with its number, never a named one.
  test.each([
    { explicit: undefined, seen: 'one|two words|1st|one-1st|' },
    { explicit: 'uno', seen: 'uno|two words|1st|uno-1st|' },
    { explicit: 'FIRST=x', seen: 'one|two words|x|one-x|' },
    { explicit: 'SECOND="${FIRST}"', seen: 'one|two words|1st|${FIRST}|' },
    { explicit: ['SECOND=a b', 'un', 'd"eux'], seen: 'one|un|1st|a b|' },
  ])('passed as $explicit', async ({ explicit, seen }) => {
    const view = await new TestEngine().run(
      `
params: one "two words" FIRST=1st SECOND=\${1}-\${FIRST}
steps: [{ name: show, command: '${show}' }]`,
      { params: explicit },
    );
    expect(stdoutOf(view, 'show')).toBe(seen);
  });

  test('of the list form can refer to earlier ones, to env and to commands', async () => {
    const view = await new TestEngine().run(`
env: { ROOT: /srv }
params:
  - DAY: "\`printf 2026-01-02\`"
  - FILE: \${ROOT}/\${DAY}.csv
steps: [{ name: show, command: 'echo "$FILE"' }]`);
    expect(stdoutOf(view, 'show')).toBe('/srv/2026-01-02.csv\n');
    expect(view.params).toEqual([
      { name: 'DAY', value: '2026-01-02' },
      { name: 'FILE', value: '/srv/2026-01-02.csv' },
    ]);
  });

  test('whose default fails prevent the start', async () => {
    const engine = new TestEngine();
    const start = engine.start('params: [{ A: "`exit 4`" }]\nsteps: ["true"]');
    await expect(start).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('Command `exit 4` failed: exit code 4'),
    });
    expect(engine.host.activeExecutions()).toEqual([]);
  });

  test.each([
    ['passed', 'steps: ["true"]', Array.from({ length: 5_001 }, () => 'x'), '5000 parameters'],
    [
      'expanded',
      `params: [{ A: "\`head -c 524288 /dev/zero | tr '\\\\0' x\`" }]\nsteps: ["true"]`,
      [],
      '524288 characters',
    ],
  ])('over the limit of a run prevent the start when %s', async (_, spec, params, limit) => {
    const start = new TestEngine().start(spec, { params });
    await expect(start).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(new RegExp(`more than ${limit}`, 'i')),
    });
  });

  // Ten times the one before, eight times over.
  const multiplied = Array.from({ length: 8 }, (_, level) => {
    const value = level === 0 ? 'x'.repeat(10) : `\${L${level - 1}}`.repeat(10);
    return `  - L${level}: "${value}"`;
  }).join('\n');
  const tooLong = {
    code: 'bad_request',
    message:
      'The value of "L7" has more than 16777216 characters after variable expansion. Put the data into a file and use the file name.',
  };

  test('that multiply prevent the start, naming the parameter', async () => {
    const engine = new TestEngine();
    await expect(engine.start(`params:\n${multiplied}\nsteps: ["true"]`)).rejects.toMatchObject(tooLong);
    expect(engine.host.activeExecutions()).toEqual([]);
  });

  test('with defaults of variables that multiply prevent the start, naming the variable', async () => {
    const text = `env:\n${multiplied}\nparams: [{ P: "\${L0}" }]\nsteps: ["true"]`;
    await expect(new TestEngine().start(text)).rejects.toMatchObject(tooLong);
  });

  test.each([
    ['the workflow', `env:\n${multiplied}\nsteps: [{ name: a, command: "true" }]`],
    [
      'a step',
      `steps:\n  - name: a\n    command: "true"\n    env:\n${multiplied.replaceAll('  -', '      -')}`,
    ],
  ])('of the environment of %s that multiply fail the run, by name', async (_, text) => {
    const view = await new TestEngine().run(text);
    expect(view.status).toBe('failed');
    expect(JSON.stringify(view)).toContain('The value of \\"L7\\" has more than 16777216 characters');
  });

  test('arrive as data, whatever they contain', async () => {
    const folder = makeTemporaryFolder();
    const hostile = [
      '$(touch pwned)',
      '`touch pwned`',
      '; touch pwned #',
      '"; touch pwned; "',
      "'; touch pwned; '",
      '${HOME} $HOME \\$HOME',
      'line one\nline two\n\ttab ',
      '-n',
      '*',
      'ünïcödé 🙂',
      '',
      'x'.repeat(100_000),
    ];
    const params = hostile.flatMap((value, index) => [value, `P${index}=${value}`]);
    const paths = hostile.map((_, index) => index * 2 + 1);
    const view = await new TestEngine().run(
      `
type: graph
env: [{ COPY: "\${P0}" }]
steps:
  - name: shell variables
    command: printf '%s\\0' ${hostile.map((_, index) => `"$P${index}"`).join(' ')} "$COPY"
  - name: shell places
    command: printf '%s\\0' ${paths.map((place) => `"\${${place}}"`).join(' ')}
  - name: script
    script: |
      #!/bin/sh
      printf '%s\\0' ${hostile.map((_, index) => `"$P${index}"`).join(' ')}
  - name: argv
    command: [printf, '%s\\0', ${hostile.map((_, index) => `"\${P${index}}"`).join(', ')}]
  - name: condition
    command: "true"
    preconditions: [{ condition: "\${P0} \${P1} \`printf '%s' \\"$P2\\"\`", expected: "$(touch pwned) \`touch pwned\` ; touch pwned #" }]
  - { name: sub, run: child, params: ["V=\${P0}", "W=\${P6}"] }
---
name: child
steps: [{ name: echo, command: printf '%s|%s' "$V" "$W", output: SEEN }]`,
      { params, defaultWorkingDir: folder },
    );
    const values = (name: string): string[] => stdoutOf(view, name).split('\0').slice(0, -1);
    expect(view.status).toBe('succeeded');
    expect(values('shell variables')).toEqual([...hostile, hostile[0]]);
    for (const name of ['shell places', 'script', 'argv']) expect(values(name)).toEqual(hostile);
    expect(view.steps.find(({ name }) => name === 'condition')).toMatchObject({ status: 'succeeded' });
    expect(JSON.parse(stdoutOf(view, 'sub'))).toMatchObject({
      outputs: { SEEN: `${hostile[0]}|${hostile[6]}`.trim() },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('too large for the system fail the step, which names one', async () => {
    const view = await new TestEngine().run('steps: [{ name: a, command: "true" }]', {
      params: [`BIG=${'x'.repeat(200_000)}`],
    });
    expect(view.steps[0]).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(
        /arguments and environment exceed the limit of the system: \d+ bytes in total.*200004/s,
      ),
    });
  });
});
