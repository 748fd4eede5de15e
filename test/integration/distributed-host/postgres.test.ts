import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  fileAppears,
  makeTestHome,
  readLines,
  startEngine,
  waitForText,
} from '../../harness/home-and-command.ts';
import { TestPostgres, missingForPostgres } from '../../harness/servers/postgres.ts';
import { CommandCluster } from '../../harness/cluster.ts';

const remote = 'workerSelector: { gpu: "true" }';
const timeoutMs = { timeout: 120_000 };

describe.skipIf(missingForPostgres(15) !== undefined)('hosts on one PostgreSQL server', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await TestPostgres.start(15);
  });

  afterAll(async () => {
    await server.stop();
  });

  test('run steps on workers, and recover from each other across machines', timeoutMs, async () => {
    vi.stubEnv('ENGINE_DATABASE_URL', server.url);
    const site = await CommandCluster.open();
    await site.worker('w1');
    const { cwd } = site.testHome;
    site.save(
      'train',
      `
steps:
  - { name: first, command: echo one, output: ONE, ${remote} }
  - { name: work, output: SEEN, command: "echo x >> ${cwd}/begun; while [ ! -e ${cwd}/go ]; do sleep 0.05; done; echo done after $ONE", ${remote} }
  - { name: local, command: 'echo "$SEEN"', output: LAST }
`,
    );
    const host = site.start('train', '-r', 'one');
    await fileAppears(join(cwd, 'begun'));
    await expect.poll(async () => (await site.status('train')).steps[1]?.worker).toMatchObject({ id: 'w1' });
    host.kill('SIGKILL');
    await host.ended;
    // Effectively another machine: a separate home.
    const next = startEngine(makeTestHome(), ['recover']);
    await waitForText(() => next.stdout() + next.stderr(), /one/);
    writeFileSync(join(cwd, 'go'), '');
    expect(await next.ended).toMatchObject({ code: 0 });
    const run = await site.status('train');
    expect(run).toMatchObject({
      status: 'succeeded',
      outputs: { ONE: 'one', SEEN: 'done after one', LAST: 'done after one' },
    });
    expect(run.steps.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
    expect(readLines(join(cwd, 'begun'))).toEqual(['x']);
  });
});
