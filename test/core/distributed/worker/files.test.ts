import { Buffer } from 'node:buffer';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { findRunFolder } from '../../../../core/distributed/files/run-folders.ts';
import { Cluster, commandStep, getTask } from '../../../harness/cluster.ts';

const folderOf = async (workers: Cluster, key: string): Promise<string> => {
  const { attemptDir, run } = await workers.find(key);
  return findRunFolder(attemptDir, run);
};

test('downloads a step’s inputs before it starts, and stores its outputs', async () => {
  const workers = await Cluster.open();
  const step = commandStep('mkdir -p out; tr a-z A-Z < in/names.txt > out/names.txt; echo x > out/other.csv');
  const task = getTask(step, { inputFiles: ['in/names.txt'], outputFiles: ['out/*.txt', 'out/other.csv'] });
  const key = await workers.offer(task);
  const folder = await folderOf(workers, key);
  await workers.files.putArtifact(folder, 'in/names.txt', Readable.from([Buffer.from('ada')]));
  await workers.startWorker();

  const result = await workers.getResult(key);

  expect(result).toMatchObject({ exitCode: 0, artifacts: ['out/names.txt', 'out/other.csv'] });
  const kept = await workers.files.getArtifact(folder, 'out/names.txt');
  await expect(text(kept!.content)).resolves.toBe('ADA');
});

test('a missing input fails the step before it starts', async () => {
  const workers = await Cluster.open();
  const key = await workers.offer(getTask(commandStep('touch begun'), { inputFiles: ['nowhere.txt'] }));
  await workers.startWorker();

  const { error } = await workers.getResult(key);

  expect(error).toContain('inputFiles: the run has no artifact "nowhere.txt"');
});

test('a missing output fails the step; a failed step stores nothing', async () => {
  const workers = await Cluster.open();
  await workers.startWorker();
  const missing = await workers.offer(getTask(commandStep('echo done'), { outputFiles: ['*.csv'] }));
  const failed = await workers.offer(getTask(commandStep('touch a.csv; exit 1'), { outputFiles: ['*.csv'] }));

  const { error, exitCode } = await workers.getResult(missing);

  expect(exitCode).toBe(0);
  expect(error).toMatch(/outputFiles: no file matches "\*\.csv" in \/./);
  await expect(workers.getResult(failed)).resolves.toMatchObject({ exitCode: 1, artifacts: [] });
});

test.each(['../outside.txt', '/etc/passwd'])('rejects %s outside the step’s directory', async (name) => {
  const workers = await Cluster.open();
  await workers.startWorker();
  const key = await workers.offer(getTask(commandStep('true'), { outputFiles: [name] }));

  const { error } = await workers.getResult(key);

  expect(error).toBe(`outputFiles: "${name}" is outside the working directory of the step`);
});

test('uploads logs while the step runs, in chunks and completely', async () => {
  const workers = await Cluster.open();
  const { folder } = await workers.startWorker();
  const latch = path.join(folder, 'go');
  const lines = 300_000;
  const key = await workers.offer(
    getTask(commandStep(`echo first; while [ ! -e ${latch} ]; do sleep 0.02; done; seq ${lines}`)),
  );
  await expect.poll(() => workers.log(key)).toBe('first\n');
  const { writeFileSync } = await import('node:fs');
  writeFileSync(latch, '');

  const { logs } = await workers.getResult(key);

  const log = await workers.log(key);
  expect(log.length).toBe(logs.stdout);
  expect(log.split('\n').slice(-2)).toEqual([String(lines), '']);
});
