import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import {
  fileAppears,
  makeTestHome,
  runEngine,
  runForJson,
  saveDag,
  startEngine,
  waitForText,
  waitForGoFile,
  type TestHome,
} from '../../harness/home-and-command.ts';
import { killStepProcessesAtEnd } from './step-processes.ts';
import { waitUntilPasses } from '../../harness/resources.ts';

/** A host of the home, as the web UI and the API use it. */
async function startServer(place: TestHome) {
  const server = startEngine(place, ['server', '--port', '0']);
  const gaveUp = server.ended.then(({ code, stderr }) => {
    throw new Error(`the server ended with ${code}: ${stderr}`);
  });
  await Promise.race([waitForText(server.stdout, /\n/), gaveUp]);
  // From here on the test itself stops the server.
  gaveUp.catch(() => {});
  const api = `${/http:\S+/.exec(server.stdout())![0]}/api/v2`;
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const sent = body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
    const reply = await fetch(`${api}${path}`, { method, ...sent });
    expect({ path, status: reply.status }).toEqual({ path, status: 200 });
    return reply.json();
  };
  return { server, call };
}

it('two hosts run twenty runs each concurrently, and each sees all forty', async () => {
  const place = makeTestHome();
  for (const name of ['left', 'right']) {
    saveDag(
      place,
      name,
      `maxActiveRuns: -1\nparams: NUMBER=none\nsteps:\n  - command: echo "$NUMBER"\n    output: SAID\n  - command: test "$SAID" = "$NUMBER"\n`,
    );
  }
  const hosts = await Promise.all([startServer(place), startServer(place)]);
  const ids = Array.from({ length: 20 }, (_, number) => `run-${number}`);
  await Promise.all(
    ['left', 'right'].flatMap((name, host) =>
      ids.map((dagRunId) =>
        hosts[host]!.call('POST', `/dags/${name}/start`, { dagRunId, params: `NUMBER=${dagRunId}` }),
      ),
    ),
  );
  const wanted = ['left', 'right'].flatMap((name) => ids.map((id) => `${name} ${id} succeeded`));
  for (const { call } of hosts) {
    await waitUntilPasses(async () => {
      const { dagRuns } = (await call('GET', '/dag-runs?limit=100')) as { dagRuns: RunLine[] };
      expect(dagRuns.map(describeLine).toSorted()).toEqual(wanted.toSorted());
    });
  }
  const { json } = await runForJson(place, ['history', '--limit', '100']);
  expect(json.dagRuns.map(describeLine).toSorted()).toEqual(wanted.toSorted());
  expect(hosts.map(({ server }) => server.stderr())).toEqual(['', '']);
});

interface RunLine {
  readonly name: string;
  readonly dagRunId: string;
  readonly status: string;
}

const describeLine = ({ name, dagRunId, status }: RunLine): string => `${name} ${dagRunId} ${status}`;

it('a run of one host is stopped by another process, and a third sees it', async () => {
  const place = makeTestHome();
  killStepProcessesAtEnd(place);
  saveDag(
    place,
    'long',
    `workingDir: ${place.cwd}\nsteps:\n  - name: wait\n    command: ${waitForGoFile}\n  - name: after\n    command: echo never\nhandlerOn:\n  abort: touch aborted\n`,
  );
  const [driver, watcher] = await Promise.all([startServer(place), startServer(place)]);
  await driver.call('POST', '/dags/long/start');
  await fileAppears(join(place.cwd, 'begun'));
  expect(await runForJson(place, ['stop', 'long', '--wait'])).toMatchObject({
    code: 0,
    json: { name: 'long', status: 'aborted' },
  });
  await fileAppears(join(place.cwd, 'aborted'));
  for (const { call } of [driver, watcher]) {
    expect(await call('GET', '/dag-runs/long/latest')).toMatchObject({
      status: 'aborted',
      steps: [
        { name: 'wait', status: 'aborted' },
        { name: 'after', status: 'not_started' },
      ],
    });
  }
});

it('a run waits for a process that keeps the database locked, reports it, and loses nothing', async () => {
  const place = makeTestHome();
  killStepProcessesAtEnd(place);
  saveDag(
    place,
    'patient',
    `workingDir: ${place.cwd}\nsteps:\n  - name: wait\n    command: ${waitForGoFile}\n  - name: after\n    command: echo after\n`,
  );
  const run = startEngine(place, ['start', 'patient', '--format', 'json'], {
    ENGINE_FAILPOINT: 'none',
    ENGINE_TEST_TIMINGS: 'databaseLock=500',
  });
  await fileAppears(join(place.cwd, 'begun'));
  const holder = new SqliteDatabase(join(place.home, 'data', 'engine.db'));
  onTestFinished(() => void holder.close());
  holder.exec('BEGIN IMMEDIATE');
  writeFileSync(join(place.cwd, 'go'), '');
  await waitForText(run.stderr, /Runs are waiting until events can be written .*locked the database/);
  holder.exec('ROLLBACK');
  const { code, stdout } = await run.ended;
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'succeeded',
    steps: [
      { name: 'wait', status: 'succeeded' },
      { name: 'after', status: 'succeeded' },
    ],
  });
  expect(code).toBe(0);
});

it('after a SIGKILL of its host a run continues with the next command, without data loss', async () => {
  const place = makeTestHome();
  killStepProcessesAtEnd(place);
  saveDag(
    place,
    'orphan',
    `workingDir: ${place.cwd}\nsteps:\n  - name: first\n    command: echo done\n  - name: talk\n    command: echo one; ${waitForGoFile}; echo two; touch gone\n  - name: after\n    command: touch later\n`,
  );
  const run = startEngine(place, ['start', 'orphan', '--format', 'json']);
  await fileAppears(join(place.cwd, 'begun'));
  run.kill('SIGKILL');
  expect(await run.ended).toMatchObject({ signal: 'SIGKILL', stdout: '' });

  const status = await runForJson(place, ['status', 'orphan']);
  expect(status.json).toMatchObject({
    status: 'running',
    finishedAt: null,
    steps: [
      { name: 'first', status: 'succeeded' },
      { name: 'talk', status: 'running', finishedAt: null },
      { name: 'after', status: 'not_started' },
    ],
  });
  expect(await runEngine(place, ['start', 'orphan'])).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/maxActiveRuns is 1/),
  });

  // The step outlives its engine; the host started by `status` records its exit, and continues.
  writeFileSync(join(place.cwd, 'go'), '');
  await fileAppears(join(place.cwd, 'gone'));
  await fileAppears(join(place.cwd, 'later'));
  expect((await runEngine(place, ['logs', 'orphan', 'talk', '--stream', 'stdout'])).stdout).toBe(
    'one\ntwo\n',
  );
  await waitUntilPasses(async () =>
    expect((await runForJson(place, ['status', 'orphan'])).json).toMatchObject({ status: 'succeeded' }),
  );
});
