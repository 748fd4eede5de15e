import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileAppears, readLines, startEngine, waitForText } from '../../harness/home-and-command.ts';
import { CommandCluster } from '../../harness/cluster.ts';

const remote = 'workerSelector: { gpu: "true" }';

/** Everything here is a separate process: coordinator, workers and hosts start, join and are killed. */
const timeoutMs = { timeout: 120_000 };

describe('a run across several machines', () => {
  test('mixes local and remote steps, with outputs, files, items and sub-workflows', timeoutMs, async () => {
    const site = await CommandCluster.open();
    await site.worker('w1');
    process.env['SITE_SECRET'] = 'top-secret-value';
    site.save(
      'mixed',
      `
secrets: [{ name: TOKEN, provider: env, key: SITE_SECRET }]
params: { BATCH: 7 }
handlerOn: { exit: echo bye }
steps:
  - name: prepare
    dir: ${site.testHome.cwd}
    command: echo raw $BATCH > data.txt
    outputFiles: data.txt
  - name: train
    command: cat data.txt; echo "token $TOKEN"; tr a-z A-Z < data.txt > model.txt
    env: [{ WHERE: "$HOME/x" }]
    inputFiles: data.txt
    outputFiles: '*.txt'
    output: SEEN
    ${remote}
  - name: each
    parallel: [a, b]
    command: echo "$ITEM of $DAG_RUN_ID"
    output: ALL
    ${remote}
  - name: nested
    run: child
    ${remote}
  - name: grep
    command: echo a known fault; exit 3
    continueOn: { output: known }
    ${remote}
  - name: after
    dir: ${site.testHome.cwd}/after
    inputFiles: model.txt
    command: cat model.txt; echo "$SEEN"
    output: LAST
---
name: child
steps:
  - { name: inner, command: echo inner, output: INNER }
`,
    );
    const { run } = await site.run('mixed', '-r', 'one');
    delete process.env['SITE_SECRET'];
    expect(run.steps.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'prepare succeeded',
      'train succeeded',
      'each succeeded',
      'nested succeeded',
      'grep failed',
      'after succeeded',
    ]);
    expect(run).toMatchObject({ status: 'partially_succeeded', handlers: [{ status: 'succeeded' }] });
    const { SEEN, ALL, LAST } = run.outputs as Record<string, string>;
    expect(SEEN).toMatch(/^raw 7\ntoken \*+$/);
    expect(ALL).toMatchObject({ outputs: ['a of one', 'b of one'] });
    expect(LAST).toMatch(/^RAW 7\nraw 7\n/);
    expect(JSON.stringify(run)).not.toContain('top-secret');
    const [prepare, train, , nested] = run.steps;
    expect(prepare!.worker).toBeUndefined();
    expect(train!.worker).toMatchObject({ id: 'w1' });
    expect(readFileSync(train!.stdoutFile!, 'utf8')).toMatch(/^raw 7\ntoken \*+\n$/);
    expect(nested!.subRuns).toMatchObject([{ steps: [{ name: 'inner', worker: { id: 'w1' } }] }]);
  });

  test('shows why a step waits, until a worker joins', timeoutMs, async () => {
    const site = await CommandCluster.open();
    await site.worker('cpu', { labels: 'region=eu' });
    site.save('train', `steps: [{ name: train, command: echo ok, ${remote} }]`);
    const host = site.start('train');
    await expect
      .poll(async () => (await site.status('train')).steps[0]?.waiting)
      .toBe('no worker matches gpu=true (1 worker: cpu region=eu)');
    await waitForText(host.stderr, /train waiting: no worker matches gpu=true/);
    await site.worker('w1');
    expect(await host.ended).toMatchObject({ code: 0 });
    expect((await site.status('train')).steps[0]).toMatchObject({ worker: { id: 'w1' } });
  });
});

describe('a killed worker', () => {
  const text = (cwd: string, more: string): string => `
steps:
  - name: train
    command: echo x >> ${cwd}/begun; test -e ${cwd}/go || sleep 600
    ${remote}
    ${more}
`;

  test('fails its step as worker_lost by default', timeoutMs, async () => {
    const site = await CommandCluster.open();
    const worker = await site.worker('w1');
    site.save('train', text(site.testHome.cwd, ''));
    const host = site.start('train');
    await fileAppears(join(site.testHome.cwd, 'begun'));
    worker.kill('SIGKILL');
    // It restarts without its state.
    await site.worker('w1', { folder: 'another' });
    expect((await host.ended).code).toBe(1);
    const { steps } = await site.status('train');
    expect(steps[0]).toMatchObject({ status: 'failed', error: expect.stringMatching(/^worker_lost: /) });
    expect(readLines(join(site.testHome.cwd, 'begun'))).toEqual(['x']);
  });

  test('has its step retried by another worker under its retryPolicy', timeoutMs, async () => {
    const site = await CommandCluster.open();
    const worker = await site.worker('w1');
    site.save('train', text(site.testHome.cwd, 'retryPolicy: { limit: 1, intervalSec: 0 }'));
    const host = site.start('train');
    await fileAppears(join(site.testHome.cwd, 'begun'));
    writeFileSync(join(site.testHome.cwd, 'go'), '');
    worker.kill('SIGKILL');
    await site.worker('w1', { folder: 'another' });
    expect((await host.ended).code).toBe(0);
    const { steps } = await site.status('train');
    expect(steps[0]).toMatchObject({ status: 'succeeded', attempts: 2 });
    expect(readLines(join(site.testHome.cwd, 'begun'))).toEqual(['x', 'x']);
  });
});

describe('a host', () => {
  test('stops a step that runs on a worker', timeoutMs, async () => {
    const site = await CommandCluster.open();
    await site.worker('w1');
    const { cwd } = site.testHome;
    site.save(
      'train',
      `steps: [{ name: train, command: "trap 'touch ${cwd}/stopped; exit 4' TERM; touch ${cwd}/begun; while :; do sleep 0.05; done", ${remote} }]`,
    );
    const host = site.start('train');
    await fileAppears(join(cwd, 'begun'));
    host.kill('SIGINT');
    await host.ended;
    expect(existsSync(join(cwd, 'stopped'))).toBe(true);
    expect((await site.status('train')).steps[0]).toMatchObject({ status: 'aborted', exitCode: 4 });
  });

  test('is replaced after a kill by another one, which waits for the same attempt', timeoutMs, async () => {
    const site = await CommandCluster.open();
    await site.worker('w1');
    const { cwd } = site.testHome;
    mkdirSync(join(cwd, 'a'));
    site.save(
      'train',
      `steps: [{ name: train, output: SEEN, command: "echo x >> ${cwd}/begun; while [ ! -e ${cwd}/go ]; do sleep 0.05; done; echo done", ${remote} }]`,
    );
    const host = site.start('train', '-r', 'one');
    await fileAppears(join(cwd, 'begun'));
    await expect.poll(async () => (await site.status('train')).steps[0]?.worker).toMatchObject({ id: 'w1' });
    host.kill('SIGKILL');
    await host.ended;
    const next = startEngine(site.testHome, ['recover']);
    await waitForText(() => next.stdout() + next.stderr(), /taken over|took over|goes on|one/i);
    writeFileSync(join(cwd, 'go'), '');
    expect((await next.ended).code).toBe(0);
    const run = await site.status('train');
    expect(run).toMatchObject({ status: 'succeeded', outputs: { SEEN: 'done' }, steps: [{ attempts: 1 }] });
    expect(readLines(join(cwd, 'begun'))).toEqual(['x']);
  });
});
