import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadSpec } from '../../core/spec/load.ts';
import { TestEngine, type RunView } from '../harness/engine.ts';

const folder = path.join(import.meta.dirname, '../../resources/templates');
const files = readdirSync(folder);
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');

/** Runs a template in its own folder. */
async function run(
  file: string,
  params: readonly string[] = [],
  prepare: (folder: string) => void = () => {},
): Promise<{ run: RunView; log: (step: string) => Promise<string[]> }> {
  const engine = new TestEngine();
  const work = path.join(engine.home, 'work');
  mkdirSync(work);
  prepare(work);
  const place = path.join(work, file);
  writeFileSync(place, read(file));
  const started = await engine.end(
    await engine.host.startRun({ source: { file: place }, trigger: 'api', params: [...params] }),
  );
  const log = async (step: string): Promise<string[]> => {
    const { name, dagRunId } = started;
    const { lines } = await engine.host.api.call(
      'logs.lines',
      { name, dagRunId, step },
      { via: 'cli', name: 'test' },
    );
    return lines;
  };
  return { run: started, log };
}

const statuses = ({ steps }: RunView): string[] => steps.map(({ name, status }) => `${name}: ${status}`);

test('there are at least twelve', () => {
  expect(files.length).toBeGreaterThanOrEqual(12);
});

describe.each(files)('%s', (file) => {
  test('is a workflow with a description', () => {
    const text = read(file);
    const { workflows, diagnostics } = loadSpec({ text, file });
    expect(diagnostics).toEqual([]);
    expect(text).toMatch(/^# .+\n/);
    expect(workflows[0]!.description).toMatch(/^[A-Z][^:]+: .{10,70}$/);
    expect(workflows[0]!.tags.length).toBeGreaterThan(0);
  });
});

describe('a template works as described', () => {
  test('first-steps', async () => {
    const { log } = await run('first-steps.yaml', ['NAME=Ada']);
    expect(await log('print')).toEqual(['Ada has 3 letters']);
  });

  test('csv-pipeline', async () => {
    const { log } = await run('csv-pipeline.yaml');
    expect(await log('summary')).toEqual(['north,8', 'south,4', 'largest: north,5']);
  });

  test('csv-pipeline rejects a malformed file', async () => {
    const { run: broken } = await run('csv-pipeline.yaml', [], (work) => {
      mkdirSync(path.join(work, 'csv-pipeline'));
      writeFileSync(path.join(work, 'csv-pipeline/sales.csv'), 'region,amount\nnorth\n');
    });
    expect(statuses(broken).slice(0, 2)).toEqual(['fetch: succeeded', 'check: failed']);
  });

  test('folder-backup', async () => {
    const { run: ended } = await run('folder-backup.yaml', [], (work) => {
      mkdirSync(path.join(work, 'documents'));
      writeFileSync(path.join(work, 'documents/a.txt'), 'a');
    });
    expect(statuses(ended).slice(0, 3)).toEqual([
      'pack: succeeded',
      'check: succeeded',
      'keep seven: succeeded',
    ]);
  });

  test('website-check and api-to-file', async () => {
    const server = createServer((_request, reply) => {
      reply.setHeader('content-type', 'application/json');
      reply.end(
        JSON.stringify({
          items: [
            { id: 1, name: 'lamp' },
            { id: 2, name: 'chair' },
          ],
        }),
      );
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const check = await run('website-check.yaml', [`ADDRESS=${address}`]);
    expect(await check.log('print')).toEqual([`${address} responded with 200`]);
    const written = await run('api-to-file.yaml', [`API=${address}`]);
    expect(await written.log('write')).toEqual(['3']);
  });

  test('webhook-push, started by hand', async () => {
    const { run: ended, log } = await run('webhook-push.yaml', ['WHO=Ada']);
    expect(statuses(ended)).toEqual(['print: succeeded', 'list files: skipped', 'build: succeeded']);
    expect(await log('print')).toEqual(['Ada pushed 0000000 to octo/hello']);
  });

  test('many-files', async () => {
    const { run: ended, log } = await run('many-files.yaml', [], (work) => {
      mkdirSync(path.join(work, 'many-files/inbox'), { recursive: true });
      for (const name of ['a', 'b', 'c']) writeFileSync(path.join(work, 'many-files/inbox', name), name);
    });
    expect(ended.status).toBe('succeeded');
    expect((await log('report')).map((line) => line.trim())).toEqual(['3']);
  });

  test('many-files without a file', async () => {
    const { run: ended } = await run('many-files.yaml');
    expect(statuses(ended)).toEqual(['list files: succeeded', 'process: skipped', 'report: succeeded']);
  });

  test('wait-for-file', async () => {
    const { run: ended } = await run('wait-for-file.yaml', [], (work) => {
      mkdirSync(path.join(work, 'incoming'));
      writeFileSync(path.join(work, 'incoming/data.csv'), 'a\n');
    });
    expect(statuses(ended)).toEqual(['wait: succeeded', 'fail if missing: skipped', 'process: succeeded']);
  });

  test('sub-workflows', async () => {
    const { log } = await run('sub-workflows.yaml');
    expect(await log('compare')).toEqual(['north 5, south 5']);
  });

  test('retries-and-handlers', async () => {
    const { run: ended, log } = await run('retries-and-handlers.yaml', ['OUTAGES=1']);
    expect(ended.status).toBe('succeeded');
    expect(await log('upload')).toEqual(['done on attempt 2']);
  });

  test('disk-space', async () => {
    const { run: idle } = await run('disk-space.yaml', ['LIMIT=101']);
    expect(statuses(idle)).toEqual([
      'check usage: succeeded',
      'remove old files: skipped',
      'report: succeeded',
    ]);
    const { run: busy } = await run('disk-space.yaml', ['LIMIT=0', 'FOLDER=.']);
    expect(statuses(busy)).toEqual([
      'check usage: succeeded',
      'remove old files: succeeded',
      'report: succeeded',
    ]);
  });

  test('git-update-and-test', async () => {
    const prepare = (work: string): void => {
      const origin = path.join(work, 'origin');
      mkdirSync(origin);
      writeFileSync(path.join(origin, 'Makefile'), 'test:\n\t@echo tested\n');
      const git = (...words: string[]): void =>
        void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
          cwd: origin,
        });
      git('init', '--quiet', '--initial-branch', 'main');
      git('add', '.');
      git('commit', '--quiet', '-m', 'Begin');
    };
    const { run: ended, log } = await run('git-update-and-test.yaml', ['REPOSITORY=../origin'], prepare);
    expect(ended.status).toBe('succeeded');
    expect(await log('test')).toContain('tested');
  });
});
