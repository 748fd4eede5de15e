import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { loadSpec } from '../../core/spec/load.ts';
import { getStep, statusesOf, stderrOf, stdoutOf, TestEngine, type RunView } from '../harness/engine.ts';
import { describeOnPostgres } from '../harness/databases.ts';
import { startMailServer } from '../harness/servers/mail-server.ts';
import { makeTemporaryFolder } from '../harness/resources.ts';
import { sharePostgres } from '../harness/servers/postgres.ts';
import { describeWithSsh } from '../harness/servers/ssh.ts';

const resources = path.join(import.meta.dirname, '../../resources');
const files = readdirSync(path.join(resources, 'templates')).map((file) => file.replace('.yaml', ''));
const read = (id: string): string => readFileSync(path.join(resources, 'templates', `${id}.yaml`), 'utf8');

/** A template in a folder of its own. */
class Bench {
  readonly engine = new TestEngine();
  readonly folder = path.join(this.engine.home, 'work');
  readonly #file: string;

  /** @param change replaces what only fits the outside world, such as port 587 */
  constructor(id: string, change: (text: string) => string = (text) => text) {
    mkdirSync(this.folder);
    this.#file = this.write(`${id}.yaml`, change(read(id)));
  }

  /** @returns the absolute path */
  path(...names: string[]): string {
    return path.join(this.folder, ...names);
  }

  write(name: string, text: string): string {
    const file = this.path(name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  start(params: readonly string[] = []) {
    return this.engine.host.startRun({ source: { file: this.#file }, trigger: 'api', params: [...params] });
  }

  async run(...params: string[]): Promise<RunView> {
    return this.engine.end(await this.start(params));
  }
}

/** The failed step with its message, after a run that failed before it wrote anything. */
function getEarlyFailure(view: RunView): string {
  const [first, ...others] = view.steps;
  expect([view.status, first!.status, first!.attempts.length]).toEqual(['failed', 'failed', 1]);
  expect(new Set(others.map(({ status }) => status)).has('succeeded')).toBe(false);
  return stderrOf(view, first!.name).trim();
}

/** A folder with links to the programs of a step, except one. */
function makePathWithout(program: string): string {
  const folder = makeTemporaryFolder();
  const needed =
    'awk basename cat date df dirname find grep ls mkdir mv rm sed sh sort tail tr wc gzip tar git make';
  for (const name of needed.split(' ').filter((each) => each !== program)) {
    const place = ['/usr/bin', '/bin'].map((each) => path.join(each, name)).find((each) => existsSync(each));
    if (place !== undefined) symlinkSync(place, path.join(folder, name));
  }
  return folder;
}

/** Restores the variable before the set-up of the next tests. */
function usePath(folders: string): void {
  vi.stubEnv('PATH', folders);
  onTestFinished(() => void vi.unstubAllEnvs());
}

const writeScript = (file: string, text: string): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
};

async function serveJson(body: object, getStatus = () => 200): Promise<string> {
  const server = createServer((_request, reply) => {
    reply.writeHead(getStatus(), { 'content-type': 'application/json' });
    reply.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('there are at least twelve', () => {
  expect(files.length).toBeGreaterThanOrEqual(12);
});

describe.each(files)('%s', (id) => {
  test('is a workflow with a description', () => {
    const text = read(id);
    const { workflows, diagnostics } = loadSpec({ text, file: `${id}.yaml` });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(text).toMatch(/^# .+\n/);
    expect(workflows[0]!.description).toMatch(/^[A-Z][^:]+: .{10,70}$/);
    expect(workflows[0]!.tags.length).toBeGreaterThan(0);
  });

  test('leaves failures to the notifications of the base configuration', () => {
    const workflow = loadSpec({ text: read(id), file: `${id}.yaml` }).workflows[0]!;
    expect(workflow.mailOn).toBeUndefined();
    if (workflow.schedule.start.length > 0) expect(workflow.handlers.failure).toBeUndefined();
  });
});

describe('folder-backup', () => {
  const make = (): { bench: Bench; params: string[]; archives: string } => {
    const bench = new Bench('folder-backup');
    bench.write('documents/a.txt', 'a');
    const params = [`FOLDER=${bench.path('documents')}`, `TARGET=${bench.path('backups')}`];
    return { bench, params, archives: bench.path('backups', 'folder-backup') };
  };

  test('keeps the newest seven verified archives', async () => {
    const { bench, params, archives } = make();
    for (let day = 1; day <= 9; day += 1)
      bench.write(`backups/folder-backup/2020-01-0${day}T000000Z.tar.gz`, '');
    bench.write('backups/folder-backup/unfinished.part', '');
    const view = await bench.run(...params);
    expect(view.status).toBe('succeeded');
    expect(stdoutOf(view, 'check')).toBe(`Backing up ${bench.path('documents')} to ${archives}\n`);
    const found = readdirSync(archives).toSorted();
    expect(found.slice(0, -1)).toEqual([4, 5, 6, 7, 8, 9].map((day) => `2020-01-0${day}T000000Z.tar.gz`));
    expect(stdoutOf(view, 'publish')).toContain(`${found.at(-1)}: 2 entries, `);
    const packed = execFileSync('tar', ['-tzf', path.join(archives, found.at(-1)!)], { encoding: 'utf8' });
    expect(packed).toBe('documents/\ndocuments/a.txt\n');
  });

  test('removes no archive when the new one is broken', async () => {
    const folder = makePathWithout('tar');
    // Writes an archive of 45 bytes, as after a full disk.
    writeScript(
      path.join(folder, 'tar'),
      'if [ "$1" = -czf ]; then head -c 45 /dev/zero > "$2"; else exec /usr/bin/tar "$@"; fi',
    );
    usePath(`${folder}:/usr/bin:/bin`);
    const { bench, params, archives } = make();
    for (let day = 1; day <= 9; day += 1)
      bench.write(`backups/folder-backup/2020-01-0${day}T000000Z.tar.gz`, '');
    const view = await bench.run(...params);
    expect(statusesOf(view)).toMatchObject({ pack: 'succeeded', verify: 'failed' });
    expect(readdirSync(archives).filter((name) => name.endsWith('.tar.gz'))).toHaveLength(9);
  });

  test('fails at once, with a hint, if something is missing; a mail server of the base configuration is used', async () => {
    const { bench } = make();
    const { port, mails } = await startMailServer();
    writeFileSync(
      path.join(bench.engine.home, 'base.yaml'),
      `smtp: { host: 127.0.0.1, port: ${port} }\nerrorMail: { from: a@example.com, to: b@example.com }\nmailOn: { failure: true }\n`,
    );
    expect(getEarlyFailure(await bench.run('FOLDER=/nowhere'))).toBe(
      'Folder /nowhere not found. Set FOLDER to the absolute path of an existing folder.',
    );
    expect(mails).toHaveLength(1);
    await expect(bench.run()).rejects.toThrow('"FOLDER" is missing');
    usePath(makePathWithout('tar'));
    const without = make();
    expect(getEarlyFailure(await without.bench.run(...without.params))).toBe(
      'tar is missing. Install it on this machine.',
    );
  });
});

describeOnPostgres(
  'database-dump',
  (version) => {
    const prepare = async (): Promise<{ bench: Bench; params: string[]; dumps: string }> => {
      vi.stubEnv('DB_PASSWORD', 'any');
      const { port } = await sharePostgres(version);
      const bench = new Bench('database-dump');
      const params = [
        'PGDATABASE=postgres',
        'PGHOST=127.0.0.1',
        `PGPORT=${port}`,
        `TARGET=${bench.path('backups')}`,
      ];
      return { bench, params, dumps: bench.path('backups', 'database-dump') };
    };

    test('dumps, verifies, and removes old dumps afterwards', async () => {
      const { bench, params, dumps } = await prepare();
      utimesSync(bench.write('backups/database-dump/2020-01-01T000000Z.dump', ''), 0, 0);
      const view = await bench.run(...params);
      expect(view.status).toBe('succeeded');
      const found = readdirSync(dumps);
      expect(found).toEqual([expect.stringMatching(/^\d{4}-.*Z\.dump$/)]);
      const listed = execFileSync('pg_restore', ['--list', path.join(dumps, found[0]!)], {
        encoding: 'utf8',
      });
      expect(listed).toContain('dbname: postgres');
    });

    test('removes no dump when the login fails, and says how to mend it', async () => {
      const { bench, params, dumps } = await prepare();
      utimesSync(bench.write('backups/database-dump/2020-01-01T000000Z.dump', ''), 0, 0);
      const view = await bench.run(...params, 'PGDATABASE=shop');
      expect(getEarlyFailure(view)).toContain('Cannot log in to shop at 127.0.0.1:');
      expect(readdirSync(dumps)).toHaveLength(1);
    });
  },
  [15],
);

test('database-dump names the variable of the password', async () => {
  vi.stubEnv('DB_PASSWORD', undefined);
  const view = await new Bench('database-dump').run('PGDATABASE=shop');
  expect([view.status, view.error]).toEqual(['failed', expect.stringContaining('DB_PASSWORD')]);
});

describeWithSsh('deploy-by-ssh', (server) => {
  let health = 200;
  const make = async (): Promise<{ bench: Bench; params: string[]; restart: string }> => {
    const address = await serveJson({}, () => health);
    const { user, port, key, knownHosts, host } = server();
    const rsh = `ssh -p ${port} -i ${key} -o UserKnownHostsFile=${knownHosts}`;
    const bench = new Bench('deploy-by-ssh', (text) =>
      text
        .replace(
          'user: deploy',
          `user: ${user}\n  port: ${port}\n  key: ${key}\n  knownHostFile: ${knownHosts}`,
        )
        .replace('https://${HOST}/health', address)
        .replace('deploy@', `${user}@`)
        .replace('RSYNC_RSH: ssh', `RSYNC_RSH: ${rsh}`),
    );
    bench.write('app/Makefile', '.PHONY: dist\ndist:\n\tmkdir -p dist && echo built > dist/program\n');
    const restart = bench.path('restarts');
    return {
      bench,
      restart,
      params: [
        `HOST=${host}`,
        `PROJECT=${bench.path('app')}`,
        `APP=${bench.path('server')}`,
        `RESTART=readlink current >> ${restart}`,
      ],
    };
  };

  const currentOf = (bench: Bench): string => path.basename(readlinkSync(bench.path('server/current')));

  test('builds, copies and switches, and changes no running release', async () => {
    const { bench, params, restart } = await make();
    expect((await bench.run(...params)).status).toBe('succeeded');
    expect(readFileSync(bench.path('server/current/program'), 'utf8')).toBe('built\n');
    const again = await bench.run(...params);
    expect(stderrOf(again, 'check server')).toContain('already runs version 1.0.0');
    expect(readFileSync(restart, 'utf8')).toBe(`${bench.path('server/releases/1.0.0')}\n`);
  });

  test('rolls back after a failed health check, but not after a failed build', async () => {
    const { bench, params, restart } = await make();
    for (const [link, release] of Object.entries({ previous: '0.9.0', current: '1.0.0' })) {
      bench.write(`server/releases/${release}/program`, '');
      symlinkSync(bench.path('server/releases', release), bench.path('server', link));
    }
    health = 503;
    const run = await bench.start([...params, 'VERSION=2.0.0']);
    expect(getStep(await endQuickly(bench, run), 'onFailure').status).toBe('succeeded');
    expect(currentOf(bench)).toBe('1.0.0');
    bench.write('app/Makefile', '.PHONY: dist\ndist:\n\tfalse\n');
    expect(statusesOf(await bench.run(...params, 'VERSION=3.0.0'))).toMatchObject({ build: 'failed' });
    expect(currentOf(bench)).toBe('1.0.0');
    const restarts = readFileSync(restart, 'utf8').trim().split('\n');
    expect(restarts.map((release) => path.basename(release))).toEqual(['2.0.0', '1.0.0']);
  });

  test('names a missing project', async () => {
    const { bench, params } = await make();
    const failure = getEarlyFailure(await bench.run(...params, 'PROJECT=/nowhere'));
    expect(failure).toBe('/nowhere/Makefile not found. Set PROJECT to the absolute path of the project.');
  });
});

/** Waits for the end of a run whose retries wait for seconds. */
async function endQuickly({ engine }: Bench, run: { name: string; dagRunId: string }): Promise<RunView> {
  for (;;) {
    engine.clock.advance(100);
    const view = await engine.get(run);
    if (view.finishedAt !== undefined) return engine.end(run);
    await engine.settle();
  }
}

describe('a template works as described', () => {
  test('first-steps', async () => {
    const view = await new Bench('first-steps').run('NAME=Ada');
    expect(stdoutOf(view, 'print')).toBe('Ada has 3 letters\n');
  });

  test('csv-pipeline, with sample data and with a file', async () => {
    const bench = new Bench('csv-pipeline');
    const sample = await bench.run();
    expect(stdoutOf(sample, 'summary')).toBe('north,8\nsouth,4\nlargest: north,5\n');
    const source = bench.write('sales.csv', 'region,amount\neast,2\n');
    expect(stdoutOf(await bench.run(`SOURCE=${source}`), 'summary')).toBe('east,2\nlargest: east,2\n');
    bench.write('sales.csv', 'region,amount\nnorth\n');
    const broken = await bench.run(`SOURCE=${source}`);
    expect(statusesOf(broken)).toMatchObject({ fetch: 'succeeded', check: 'failed' });
    expect(stderrOf(broken, 'check')).toBe('line 2: 1 fields\n');
    expect(readFileSync(bench.path('csv-pipeline/totals.csv'), 'utf8')).toBe('east,2\n');
    expect(getEarlyFailure(await bench.run('SOURCE=/nowhere.csv'))).toContain('File /nowhere.csv not found.');
  });

  test('website-check and api-to-file', async () => {
    const items = [
      { id: 1, name: 'lamp' },
      { id: 2, name: 'chair' },
    ];
    const address = await serveJson({ items });
    const check = await new Bench('website-check').run(`ADDRESS=${address}`);
    expect(stdoutOf(check, 'print')).toBe(`${address} responded with 200\n`);
    const bench = new Bench('api-to-file');
    const written = await bench.run(`API=${address}`);
    const items2 = bench.path('api-to-file/items.csv');
    expect(stdoutOf(written, 'write')).toBe(`${items2}: 3 lines\n`);
    const empty = await bench.run(`API=${await serveJson({ items: [] })}`);
    expect(stderrOf(empty, 'write')).toContain('items.csv is unchanged');
    expect(readFileSync(items2, 'utf8')).toBe('id,name\n1,lamp\n2,chair\n');
    await expect(bench.run('API=example.com')).rejects.toThrow(/"API"/);
  });

  test('website-check fails when the site is down', async () => {
    const bench = new Bench('website-check');
    const run = await bench.start([`ADDRESS=${await serveJson({}, () => 503)}`]);
    const view = await endQuickly(bench, run);
    expect([view.status, view.steps[0]!.attempts.length]).toEqual(['failed', 3]);
  });

  test('webhook-push, started by hand', async () => {
    const view = await new Bench('webhook-push').run('WHO=Ada');
    expect(statusesOf(view)).toEqual({ print: 'succeeded', 'list files': 'skipped', build: 'succeeded' });
    expect(stdoutOf(view, 'print')).toBe('Ada pushed 0000000 to octo/hello\n');
  });

  test('many-files', async () => {
    const bench = new Bench('many-files');
    for (const name of ['a', 'b c', 'd']) bench.write(`inbox/${name}`, name);
    const view = await bench.run(`FOLDER=${bench.path('inbox')}`);
    expect(view.status).toBe('succeeded');
    expect(stdoutOf(view, 'report')).toBe(`3 files in ${bench.path('inbox/done')}\n`);
    expect(readdirSync(bench.path('inbox/done'))).toEqual(['a', 'b c', 'd']);
  });

  test('many-files without a file or a folder', async () => {
    const bench = new Bench('many-files');
    mkdirSync(bench.path('inbox'));
    const view = await bench.run(`FOLDER=${bench.path('inbox')}`);
    expect(statusesOf(view)).toEqual({
      'list files': 'succeeded',
      process: 'skipped',
      report: 'succeeded',
    });
    expect(getEarlyFailure(await bench.run('FOLDER=/nowhere'))).toContain('Folder /nowhere not found.');
  });

  test('wait-for-file', async () => {
    const bench = new Bench('wait-for-file');
    const file = bench.write('incoming/data.csv', 'a\n');
    const view = await bench.run(`FILE=${file}`);
    expect(statusesOf(view)).toEqual({
      check: 'succeeded',
      wait: 'succeeded',
      'fail if missing': 'skipped',
      process: 'succeeded',
    });
    expect(getEarlyFailure(await bench.run('FILE=/nowhere/data.csv'))).toContain(
      'Folder /nowhere not found.',
    );
  });

  test('sub-workflows', async () => {
    const view = await new Bench('sub-workflows').run();
    expect(stdoutOf(view, 'compare')).toBe('north 5, south 5\n');
  });

  test('retries-and-handlers and parallel-with-retry', async () => {
    const upload = await new Bench('retries-and-handlers').run('OUTAGES=1');
    expect(upload.status).toBe('succeeded');
    expect(stdoutOf(upload, 'upload')).toBe('done on attempt 2\n');
    const bench = new Bench('parallel-with-retry', (text) => text.replaceAll('sleep 1', 'true'));
    const flaky = await endQuickly(bench, await bench.start());
    expect(flaky.status).toBe('succeeded');
    expect(stdoutOf(flaky, 'flaky')).toBe('attempt 3 succeeded\n');
  });

  test('disk-space', async () => {
    const bench = new Bench('disk-space');
    expect(statusesOf(await bench.run('LIMIT=101'))).toEqual({
      'check usage': 'succeeded',
      'remove old files': 'skipped',
      report: 'succeeded',
    });
    utimesSync(bench.write('old/a', ''), 0, 0);
    const busy = await bench.run('LIMIT=0', `FOLDER=${bench.path('old')}`);
    expect(stdoutOf(busy, 'remove old files')).toBe(`${bench.path('old/a')}\n`);
    expect(existsSync(bench.path('old/a'))).toBe(true);
    expect(getEarlyFailure(await bench.run('FOLDER=/nowhere'))).toContain('Folder /nowhere not found.');
  });

  test('git-update-and-test', async () => {
    const bench = new Bench('git-update-and-test');
    const git = (...words: string[]): void =>
      void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
        cwd: bench.path('origin'),
      });
    bench.write('origin/Makefile', 'test:\n\t@echo tested\n');
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', '.');
    git('commit', '--quiet', '-m', 'Begin');
    const params = [`REPOSITORY=${bench.path('origin')}`, `FOLDER=${bench.path('clone')}`];
    const first = await bench.run(...params);
    expect(first.status).toBe('succeeded');
    expect(stdoutOf(first, 'test')).toContain('tested\n');
    expect(statusesOf(await bench.run(...params))).toMatchObject({ test: 'skipped' });
    usePath(makePathWithout('git'));
    const without = await new Bench('git-update-and-test').run(...params);
    expect(getEarlyFailure(without)).toBe('git is missing. Install it on this machine.');
  });

  test('ask-before-releasing', async () => {
    const bench = new Bench('ask-before-releasing');
    bench.write('app/Makefile', 'dist:\n\t@echo dist\ntest:\n\t@echo tested\n');
    const project = `PROJECT=${bench.path('app')}`;
    expect(getEarlyFailure(await bench.run(project))).toContain('release.sh is missing or not executable.');
    writeScript(bench.path('app/release.sh'), 'echo "$@"');
    const run = await bench.start([project]);
    const asking = await bench.engine.untilRun(
      run,
      (view) => getStep(view, 'approve').approval !== undefined,
    );
    const { id } = getStep(asking, 'approve').approval!;
    await bench.engine.call('approvals.answer', { id, decision: 'approved', values: { TICKET: 'T-1' } });
    const view = await bench.engine.end(run);
    expect(stdoutOf(view, 'release')).toBe('1.0.0 --ticket T-1 --by the test\n');
  });

  test('weekly-report-by-mail', async () => {
    vi.stubEnv('SMTP_PASSWORD', 'secret');
    const { port, mails } = await startMailServer({ login: { user: 'robot', password: 'secret' } });
    const bench = new Bench('weekly-report-by-mail', (text) =>
      text.replace('port: 587', `port: ${port}\n  requireTLS: false`),
    );
    const view = await bench.run('SMTP_HOST=127.0.0.1', 'FROM=a@example.com', 'TO=b@example.com');
    expect(view.status).toBe('succeeded');
    expect(mails[0]).toMatchObject({ from: 'a@example.com', to: ['b@example.com'] });
    expect(mails[0]!.raw).toContain('filename=report.csv');
  });
});

test('the sample nightly-backup replaces no good backup by a broken one', async () => {
  const engine = new TestEngine();
  const dags = path.join(engine.home, 'dags');
  mkdirSync(path.join(dags, 'data'), { recursive: true });
  const file = path.join(dags, 'nightly-backup.yaml');
  writeFileSync(file, readFileSync(path.join(resources, 'samples/nightly-backup.yaml')));
  const run = async (...params: string[]) =>
    engine.end(await engine.host.startRun({ source: { file }, trigger: 'api', params }));
  expect((await run('OUTAGES=0')).status).toBe('succeeded');
  expect(statusesOf(await run('OUTAGES=0', 'FAIL=yes'))).toMatchObject({ verify: 'failed' });
  const target = path.join(dags, 'output/nightly-backup/target');
  expect(readdirSync(target).filter((name) => name.endsWith('.tar.gz'))).toHaveLength(1);
});
