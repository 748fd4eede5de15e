import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTestHome, runEngine, runForJson, saveDag, type TestHome } from '../harness/home-and-command.ts';

const good = 'steps:\n  - echo ok\n';

function write({ cwd }: TestHome, name: string, content: string | Uint8Array): void {
  writeFileSync(join(cwd, name), content);
}

describe('engine validate', () => {
  it('accepts a valid file, by path and by name', async () => {
    const place = makeTestHome();
    write(place, 'etl.yaml', good);
    saveDag(place, 'kept', good);
    const outcome = await runEngine(place, ['validate', 'etl.yaml', 'kept']);
    expect(outcome).toMatchObject({ code: 0, stdout: '✔ etl.yaml is valid\n✔ kept is valid\n', stderr: '' });
  });

  it('shows position, message and line of an error, and fails', async () => {
    const place = makeTestHome();
    write(place, 'bad.yaml', 'steps:\n  - name: a\n    comand: echo\n');
    const { code, stdout, stderr } = await runEngine(place, ['validate', 'bad.yaml']);
    expect(stderr).toMatch(/^bad\.yaml:3:5: .*command.*\n {2}3 \| {5}comand: echo\n/);
    expect(stdout).toMatch(/^✖ bad\.yaml is invalid \(\d+ errors?\)\n$/);
    expect(code).toBe(1);
  });

  it('prints exactly {valid, errors, warnings} as JSON, errors of all files in order', async () => {
    const place = makeTestHome();
    write(place, 'good.yaml', good);
    write(place, 'one.yaml', 'steps:\n  - name: a\n    comand: echo\n');
    write(
      place,
      'two.yaml',
      'type: graph\nsteps:\n  - {name: a, command: x, depends: b}\n  - {name: b, command: x, depends: a}\n',
    );
    const { code, json } = await runForJson(place, ['validate', 'good.yaml', 'one.yaml', 'two.yaml']);
    expect(Object.keys(json)).toEqual(['valid', 'errors', 'warnings']);
    expect(json.valid).toBe(false);
    expect(json.errors[0]).toEqual({
      severity: 'error',
      message: expect.any(String),
      file: 'one.yaml',
      line: 3,
      column: 5,
      path: expect.any(String),
    });
    expect(json.errors.map((error: { file: string }) => error.file)).toContain('two.yaml');
    expect(code).toBe(1);
    expect(await runForJson(place, ['validate', 'good.yaml'])).toEqual({
      code: 0,
      json: { valid: true, errors: [], warnings: [] },
    });
  });

  it('shows warnings without failing', async () => {
    const place = makeTestHome();
    write(place, 'old.yaml', `${good}handlerOn:\n  cancel: echo bye\n`);
    const { code, stdout, stderr } = await runEngine(place, ['validate', 'old.yaml']);
    expect(stderr).toMatch(/^old\.yaml:4:\d+: warning: .*abort/);
    expect(stdout).toBe('✔ old.yaml is valid (1 warning)\n');
    expect(code).toBe(0);
    expect((await runForJson(place, ['validate', 'old.yaml'])).json).toEqual({
      valid: true,
      errors: [],
      warnings: [
        {
          severity: 'warning',
          message: expect.stringContaining('"cancel" is an alternative spelling of "abort". Use "abort".'),
          file: 'old.yaml',
          line: 4,
          column: 3,
          path: 'handlerOn.cancel',
        },
      ],
    });
  });

  it.each([
    ['an empty file', ''],
    ['a binary file', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2])],
    ['a tab as indentation', 'steps:\n\t- echo\n'],
    ['a duplicate key', 'name: a\nname: b\nsteps:\n  - echo\n'],
  ])('shows the position in %s', async (_what, content) => {
    const place = makeTestHome();
    write(place, 'odd.yaml', content);
    const { code, json } = await runForJson(place, ['validate', 'odd.yaml']);
    expect(json.errors[0]).toMatchObject({
      file: 'odd.yaml',
      line: expect.any(Number),
      column: expect.any(Number),
    });
    expect(code).toBe(1);
  });

  it('treats a missing file as an invalid one', async () => {
    const place = makeTestHome();
    const { stderr } = await runEngine(place, ['validate', 'gone.yaml']);
    expect(stderr).toMatch(/^gone\.yaml:1:1: Workflow file "gone\.yaml" not found[^\n]+\n$/);
    const { code, json } = await runForJson(place, ['validate', 'gone.yaml']);
    expect(json).toMatchObject({
      valid: false,
      errors: [{ file: 'gone.yaml', line: 1, column: 1, path: '' }],
    });
    expect(code).toBe(1);
  });
});
