import { Buffer } from 'node:buffer';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { findRunFolder } from '../../../../core/distributed/files/places.ts';
import { Site, commandStep, taskOf } from './site.ts';

const folderOf = async (site: Site, key: string): Promise<string> => {
  const { place, run } = await site.find(key);
  return findRunFolder(place, run);
};

test('what a step needs is there before it begins, and what it makes is kept', async () => {
  const site = await Site.open();
  const step = commandStep('mkdir -p out; tr a-z A-Z < in/names.txt > out/names.txt; echo x > out/other.csv');
  const task = taskOf(step, { inputFiles: ['in/names.txt'], outputFiles: ['out/*.txt', 'out/other.csv'] });
  const key = await site.offer(task);
  const folder = await folderOf(site, key);
  await site.files.putArtifact(folder, 'in/names.txt', Readable.from([Buffer.from('ada')]));
  await site.startWorker();

  const result = await site.resultOf(key);

  expect(result).toMatchObject({ exitCode: 0, artifacts: ['out/names.txt', 'out/other.csv'] });
  const kept = await site.files.getArtifact(folder, 'out/names.txt');
  await expect(text(kept!.content)).resolves.toBe('ADA');
});

test('a missing input fails the step before it begins', async () => {
  const site = await Site.open();
  const key = await site.offer(taskOf(commandStep('touch begun'), { inputFiles: ['nowhere.txt'] }));
  await site.startWorker();

  const { error } = await site.resultOf(key);

  expect(error).toContain('inputFiles: the run has no artifact "nowhere.txt"');
});

test('an output that was not made fails the step; a failed step keeps nothing', async () => {
  const site = await Site.open();
  await site.startWorker();
  const missing = await site.offer(taskOf(commandStep('echo done'), { outputFiles: ['*.csv'] }));
  const failed = await site.offer(taskOf(commandStep('touch a.csv; exit 1'), { outputFiles: ['*.csv'] }));

  const { error, exitCode } = await site.resultOf(missing);

  expect(exitCode).toBe(0);
  expect(error).toMatch(/outputFiles: no file fits "\*\.csv" in \/.*the step has not made it/);
  await expect(site.resultOf(failed)).resolves.toMatchObject({ exitCode: 1, artifacts: [] });
});

test.each(['../outside.txt', '/etc/passwd'])('%s is outside the step’s folder and refused', async (name) => {
  const site = await Site.open();
  await site.startWorker();
  const key = await site.offer(taskOf(commandStep('true'), { outputFiles: [name] }));

  const { error } = await site.resultOf(key);

  expect(error).toBe(`outputFiles: "${name}" is outside the working directory of the step`);
});

test('logs arrive while the step runs, in parts and whole', async () => {
  const site = await Site.open();
  const { folder } = await site.startWorker();
  const gate = path.join(folder, 'go');
  const lines = 300_000;
  const key = await site.offer(
    taskOf(commandStep(`echo first; while [ ! -e ${gate} ]; do sleep 0.02; done; seq ${lines}`)),
  );
  await expect.poll(() => site.log(key)).toBe('first\n');
  const { writeFileSync } = await import('node:fs');
  writeFileSync(gate, '');

  const { logs } = await site.resultOf(key);

  const log = await site.log(key);
  expect(log.length).toBe(logs.stdout);
  expect(log.split('\n').slice(-2)).toEqual([String(lines), '']);
});
