import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSchema } from '../scripts/build/independent-check.ts';
import { makeTestHome, runEngine } from '../harness/home-and-command.ts';

describe('engine schema', () => {
  it.each([
    [['schema'], 'workflow'],
    [['schema', 'workflow'], 'workflow'],
    [['schema', 'base'], 'base'],
  ] as const)('prints only the schema: %s', async (args, kind) => {
    const { code, stdout, stderr } = await runEngine(makeTestHome(), args);
    expect(JSON.parse(stdout)).toEqual(readSchema(kind));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('writes it to a file, and updates it', async () => {
    const place = makeTestHome();
    const file = join(place.cwd, 'w.schema.json');
    const first = await runEngine(place, ['schema', '--output', 'w.schema.json']);
    expect(first).toMatchObject({ code: 0, stdout: '', stderr: 'Wrote w.schema.json\n' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(readSchema('workflow'));
    expect((await runEngine(place, ['schema', 'base', '-o', file])).code).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(readSchema('base'));
  });

  it('neither needs nor creates a home', async () => {
    const place = makeTestHome({ isNew: true });
    const home = join(place.cwd, 'none');
    expect((await runEngine(place, ['schema'], { ENGINE_HOME: home })).code).toBe(0);
    expect((await runEngine(place, ['schema'], { ENGINE_HOME: '/dev/null/home' })).code).toBe(0);
    expect(existsSync(home)).toBe(false);
    expect(readdirSync(place.home)).toEqual(['dags']);
  });

  it('does not overwrite a file that is not a schema', async () => {
    const place = makeTestHome();
    const file = join(place.cwd, 'etl.yaml');
    writeFileSync(file, 'steps: [echo]\n');
    const { code, stderr } = await runEngine(place, ['schema', '-o', 'etl.yaml']);
    expect(stderr).toBe(
      'engine: etl.yaml exists and is not a JSON Schema. It was not overwritten.\n' +
        '  hint: Choose another file, or delete this one first.\n',
    );
    expect(code).toBe(4);
    expect(readFileSync(file, 'utf8')).toBe('steps: [echo]\n');
  });

  it.each([
    ['folder', 'it is a directory'],
    ['gone/w.json', 'the directory does not exist'],
  ])('explains why it cannot write to %s', async (output, reason) => {
    const place = makeTestHome();
    mkdirSync(join(place.cwd, 'folder'));
    const { code, stdout, stderr } = await runEngine(place, ['schema', '--output', output]);
    expect(stderr).toMatch(new RegExp(`^engine: Cannot write ${output}: ${reason}\\.\n {2}hint: .+\n$`));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('lists the available schemas', async () => {
    const { code, stderr } = await runEngine(makeTestHome(), ['schema', 'step']);
    expect(stderr).toContain('workflow, base');
    expect(code).toBe(2);
    const { stdout } = await runEngine(makeTestHome(), ['schema', '--help']);
    expect(stdout).toContain('engine schema base --output base.schema.json');
  });
});
