import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { stdoutOf, testCaller, TestEngine } from '../../../harness/engine.ts';

/** A home whose configuration file moves its directories elsewhere. */
function openInOtherProcess(more = '') {
  const [home, elsewhere] = [makeTemporaryFolder(), makeTemporaryFolder()];
  const place = (name: string): string => path.join(elsewhere, name);
  const paths = `paths: {dagsDir: ${place('flows')}, logDir: ${place('log')}, dataDir: ${place('db')}, baseConfig: ${place('base.yaml')}}`;
  writeFileSync(path.join(home, 'config.yaml'), `${paths}\n${more}`);
  writeFileSync(place('base.yaml'), 'env: {FROM_BASE: yes}\n');
  mkdirSync(place('flows'));
  writeFileSync(
    path.join(place('flows'), 'etl.yaml'),
    'steps:\n  - name: say\n    command: echo "$FROM_BASE"\n',
  );
  return { home, place, engine: new TestEngine({ home }) };
}

test('workflows, logs, data and base configuration are at the configured paths', async () => {
  const { home, place, engine } = openInOtherProcess();
  const run = await engine.end(
    await engine.host.startRun({ source: { fileName: 'etl' }, trigger: 'manual' }),
  );
  expect(stdoutOf(run, 'say')).toBe('yes\n');
  expect(run.logDir).toMatch(new RegExp(`^${place('log')}/etl/`));
  expect(readdirSync(place('db'))).toContain('engine.db');
  const users = (await engine.host.auth()).users;
  await users.create({ username: 'ann', password: 'long enough 1', role: 'viewer' });
  expect(readdirSync(place('db'))).toContain('users.json');
  expect(readdirSync(home)).toEqual(['config.yaml']);
  expect(await engine.host.api.call('system.info', {}, testCaller)).toMatchObject({
    dagsDir: place('flows'),
  });
  const { name, dagRunId } = run;
  const { errors } = await engine.host.api.call('runs.delete', { name, dagRunId }, testCaller);
  expect(errors).toEqual([]);
  expect(existsSync(run.logDir!)).toBe(false);
});

test('runs of workflows without their own settings use the configured directory and shell', async () => {
  const work = makeTemporaryFolder();
  const { engine } = openInOtherProcess(`workDir: ${work}\ndefaultShell: bash -u\n`);
  const command = 'pwd; echo "${BASH_VERSION:+bash} $ENGINE_DEFAULT_SHELL"';
  const step = `  - name: say\n    command: '${command}'\n`;
  const run = await engine.run(`name: job\nsteps:\n${step}`);
  expect(stdoutOf(run, 'say')).toBe(`${work}\nbash bash -u\n`);
  const own = await engine.run(`name: own\nworkingDir: /\nshell: sh\nsteps:\n${step}`);
  expect(stdoutOf(own, 'say')).toMatch(/^\/\n {0,5}/);
  const dry = await engine.host.api.call('runs.dry', { spec: `name: job\nsteps:\n${step}` }, testCaller);
  expect(dry.plans[0]).toMatchObject({ workingDir: { value: work } });
  expect(JSON.stringify(dry.plans[0]?.steps)).toContain('-u');
});

test('a dry run shows the log directory of a run', async () => {
  const { place, engine } = openInOtherProcess();
  const dry = await engine.host.api.call('dags.dry', { fileName: 'etl' }, testCaller);
  expect(dry.plans[0]?.logDir.value).toBe(path.join(place('log'), 'etl'));
});
