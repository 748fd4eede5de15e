import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { stdoutOf, testCaller, TestEngine } from '../../../harness/engine.ts';

const mask = '*******';

/** A workflow that prints the values of its secret files. */
function prepare(files: Record<string, string>) {
  const folder = makeTemporaryFolder();
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  for (const [name, text] of Object.entries(files)) write(name, text);
  const spec = (more = ''): string =>
    `name: job\nworkingDir: ${folder}\nsecretFiles: [${Object.keys(files).join(', ')}]\n${more}steps:\n` +
    '  - name: say\n    command: echo "$A|$B|$C|$D"\n    output: SAID\n';
  return { folder, write, spec, engine: new TestEngine() };
}

describe('secretFiles', () => {
  const files = {
    'one.env': 'A=alpha\nB=first one\nD=true\n',
    'two.env': "B='second $one'\nC=${A} and more\n",
  };

  test('are all read, later ones overriding earlier ones, and their values are masked', async () => {
    const { spec, engine } = prepare(files);
    const run = await engine.run(spec());
    expect(run.status).toBe('succeeded');
    const shown = `${mask}|${mask}|${mask}|true`;
    expect(stdoutOf(run, 'say')).toBe(`${shown}\n`);
    expect(run.outputs).toEqual({ SAID: shown });
  });

  test('are stored neither in the history nor in the log of the run', async () => {
    const { spec, engine } = prepare(files);
    const run = await engine.run(spec());
    await engine.host.close('stop');
    const data = ['engine.db', 'engine.db-wal'].flatMap((name) => {
      try {
        return [readFileSync(path.join(engine.home, 'data', name), 'latin1')];
      } catch {
        return [];
      }
    });
    for (const text of [...data, readFileSync(path.join(run.logDir!, 'run.log'), 'latin1')])
      for (const value of ['alpha', 'second $one', 'first one']) expect(text).not.toContain(value);
  });

  test('are read again by a retry', async () => {
    const { spec, write, engine } = prepare({ 'one.env': 'A=1234\nB=no\n' });
    const failing = spec().replace('echo "$A', 'test "$B" = yes && echo "${#A}');
    const run = await engine.run(failing, { dagRunId: 'one' });
    expect(run.status).toBe('failed');
    write('one.env', 'A=12345678\nB=yes\n');
    await engine.host.api.call('runs.retry', { name: run.name, dagRunId: run.dagRunId }, testCaller);
    expect(stdoutOf(await engine.end(run), 'say')).toBe('8|yes||\n');
  });

  test('must exist: otherwise the run fails before any step and names the file', async () => {
    const { folder, spec, engine } = prepare(files);
    rmSync(path.join(folder, 'two.env'));
    const run = await engine.run(spec());
    expect(run).toMatchObject({ status: 'failed', steps: [{ status: 'not_started' }] });
    expect(run.error).toContain(`Secret file ${path.join(folder, 'two.env')}`);
    expect(run.error).toContain('"secretFiles"');
    const dry = await engine.host.api.call('runs.dry', { spec: spec() }, testCaller);
    expect(dry).toMatchObject({ runnable: false, findings: [{ severity: 'error', field: 'secretFiles' }] });
  });

  test('override the dotenv file, are overridden by secrets, and are masked in a dry run', async () => {
    const { folder, spec, write, engine } = prepare({
      'one.env': 'A=of secret file\nB=hidden too\nC=hidden as well\n',
    });
    write('vars.env', 'A=of dotenv\nD=open\n');
    write('c.txt', 'of a secret');
    const more = 'dotenv: vars.env\nsecrets: [{name: C, provider: file, key: c.txt}]\n';
    const command = 'echo "$A|$B|$C|$D" > seen.txt';
    const text = spec(more).replace('echo "$A|$B|$C|$D"', command);
    await engine.run(text);
    expect(readFileSync(path.join(folder, 'seen.txt'), 'utf8')).toBe(
      'of secret file|hidden too|of a secret|open\n',
    );
    const dry = JSON.stringify(await engine.host.api.call('runs.dry', { spec: text }, testCaller));
    expect(dry).not.toContain('of secret file');
    expect(dry).not.toContain('hidden too');
  });

  test('reach sub-workflows as other values of a run do, and are masked there as well', async () => {
    const { spec, engine } = prepare(files);
    const child =
      '---\nname: child\nenv: { GIVEN: "${A}" }\nsteps:\n  - name: tell\n    command: echo "$GIVEN"\n';
    const run = await engine.run(`${spec()}  - name: sub\n    run: child\n${child}`);
    expect(run.status).toBe('succeeded');
    const sub = run.steps.find(({ name }) => name === 'sub')?.subRuns?.[0];
    const found = await engine.get({ name: 'child', dagRunId: sub!.dagRunId });
    expect(stdoutOf(found, 'tell')).toBe(`${mask}\n`);
  });
});
