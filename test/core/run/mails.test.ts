import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { getHeader, getPart, reply, startMailServer } from '../../harness/servers/mail-server.ts';
import { TestEngine, testCaller, type RunView } from '../../harness/engine.ts';
import { eventsOf } from './run-harness.ts';

const mails = (port: number, mailOn = '{failure: true, success: true}'): string => `name: etl
mailOn: ${mailOn}
smtp: {host: 127.0.0.1, port: ${port}}
errorMail: {from: etl@example.com, to: [ops@example.com, dev@example.com], prefix: "[bad]", attachLogs: true}
infoMail: {from: etl@example.com, to: info@example.com, prefix: "[good]"}
`;

/** Recorded events about a run's mails. */
const notesOf = async (engine: TestEngine, run: Parameters<typeof eventsOf>[1]): Promise<string[]> =>
  (await eventsOf(engine, run)).flatMap(({ event }) =>
    event.type === 'run.message' ? [`${event.level}: ${event.message}`] : [],
  );

/** Runs a spec while the time passes faster, for the delays between attempts. */
async function endSoon(engine: TestEngine, spec: string, isPausing: () => boolean): Promise<RunView> {
  return engine.untilRun(await engine.start(spec), ({ status }) => {
    // Not while a server is being called: the total timeout would expire.
    if (isPausing()) engine.clock.advance(10);
    return status !== 'running' && status !== 'not_started';
  });
}

describe('run mail', () => {
  test.each([
    ['a success', 'steps: [echo a]', '[good] etl (succeeded)'],
    ['a failure', 'steps: [exit 3]', '[bad] etl (failed)'],
    [
      'a failure that continueOn allows',
      'steps: [{command: exit 3, continueOn: failed}, echo a]',
      '[bad] etl (partially_succeeded)',
    ],
    [
      'a partially successful sub-run',
      'steps: [{run: sub}]\n---\nname: sub\nsteps: [{command: exit 3, continueOn: failed}, echo a]',
      '[good] etl (partially_succeeded)',
    ],
    ['a failed init handler', 'handlerOn: {init: exit 1}\nsteps: [echo a]', '[bad] etl (aborted)'],
    ['a failed exit handler', 'handlerOn: {exit: exit 1}\nsteps: [echo a]', '[bad] etl (failed)'],
    [
      'a missing secret',
      'secrets: [{name: T, provider: env, key: NOT_THERE_AT_ALL}]\nsteps: [echo a]',
      '[bad] etl (failed)',
    ],
    ['unmet conditions', 'preconditions: "false"\nsteps: [echo a]', undefined],
  ])('is sent for %s', async (_, spec, subject) => {
    const server = await startMailServer();
    await new TestEngine().run(mails(server.port) + spec);
    expect(server.mails.map((mail) => getHeader(mail, 'Subject'))).toEqual(
      subject === undefined ? [] : [subject],
    );
  });

  test.each([
    ['echo a', '{failure: true}'],
    ['exit 1', '{success: true}'],
  ])('is not sent after %s with mailOn %s', async (command, mailOn) => {
    const server = await startMailServer();
    await new TestEngine().run(`${mails(server.port, mailOn)}steps: [${command}]`);
    expect(server.mails).toEqual([]);
  });

  test('is not sent for a run that was stopped manually', async () => {
    const server = await startMailServer();
    const engine = new TestEngine();
    const run = await engine.start(`${mails(server.port)}steps: [sleep 60]`);
    await engine.untilRun(run, ({ steps }) => steps[0]!.status === 'running');
    await engine.host.api.call('runs.stop', run, testCaller);
    expect((await engine.end(run)).status).toBe('aborted');
    expect(server.mails).toEqual([]);
  });

  test('reports what happened, escaped and masked, and attaches the logs', async () => {
    vi.stubEnv('VAULT', 'hunter2-and-more');
    const server = await startMailServer();
    const engine = new TestEngine();
    const view = await engine.run(
      `${mails(server.port)}secrets: [{name: TOKEN, provider: env, key: VAULT}]
params: DAY=monday NOTE=hunter2-and-more
steps:
  - { name: "load <b>&", command: 'echo "token $TOKEN"; echo "<i>no</i> $TOKEN" >&2; exit 3' }
  - { name: after, command: echo never }`,
    );
    expect(view.status).toBe('failed');
    const [mail] = server.mails;
    expect(mail!.to).toEqual(['ops@example.com', 'dev@example.com']);
    const text = getPart(mail!, 'text/plain');
    expect(text).toContain('etl failed\n');
    expect(text).toMatch(/^Status {6}failed$/m);
    expect(text).toContain(`Run         ${view.dagRunId}`);
    expect(text).toMatch(/^Started {5}2026-01-01 00:00:\d\d UTC$/m);
    expect(text).toMatch(/^Duration {4}\d+\.\ds$/m);
    expect(text).toMatch(/^Parameters {2}DAY=monday$/m);
    expect(text).toContain('NOTE=*******');
    expect(text).toMatch(/^ {2}load <b>& {2}failed {3}\d+\.\ds {2}exit code 3/m);
    expect(text).toMatch(/^ {2}after .* upstream failed/m);
    const html = getPart(mail!, 'text/html');
    expect(html).toContain('load &lt;b&gt;&amp;');
    expect(html).not.toContain('<b>');
    expect(html).not.toContain('<i>');
    expect(html).not.toContain('http');
    expect(getPart(mail!, 'stdout.log')).toBe('token *******\n');
    expect(getPart(mail!, 'stderr.log')).toBe('<i>no</i> *******\n');
    expect(Buffer.from(mail!.raw.replaceAll(/=\r\n/g, '')).toString()).not.toContain('hunter2');
    expect(await notesOf(engine, view)).toEqual([
      'info: Email about the run sent to ops@example.com, dev@example.com.',
    ]);
  });

  test('attaches the end of long logs, with a note', async () => {
    const server = await startMailServer();
    await new TestEngine().run(
      `${mails(server.port)}steps: ["head -c 1500000 /dev/zero | tr '\\\\0' x; echo; echo the end; exit 1"]`,
    );
    const log = getPart(server.mails[0]!, 'stdout.log');
    expect(log).toMatch(/^\[first 451433 of 1500009 bytes omitted\]\n/);
    expect(log.endsWith('x\nthe end\n')).toBe(true);
    expect(getPart(server.mails[0]!, 'text/plain')).toContain('are truncated to their end');
  });

  test('can use values of the run', async () => {
    const server = await startMailServer();
    await new TestEngine().run(`name: etl
mailOn: {success: true}
smtp: [{host: "\${MAIL_HOST}", port: "\${MAIL_PORT}"}]
env: [{MAIL_HOST: 127.0.0.1}, {MAIL_PORT: "${server.port}"}]
infoMail: {from: etl@example.com, to: "\${WHO}@example.com", prefix: "[\${DAG_RUN_STATUS}]"}
steps: [{command: echo ops, output: WHO}]`);
    expect(server.mails).toMatchObject([{ to: ['ops@example.com'] }]);
    expect(getHeader(server.mails[0]!, 'Subject')).toBe('[succeeded] etl (succeeded)');
  });

  test('is sent for a sub-run only when its own workflow says so', async () => {
    const server = await startMailServer();
    const engine = new TestEngine();
    const base = mails(server.port).replace('name: etl\n', '');
    writeFileSync(path.join(engine.home, 'base.yaml'), base);
    const sub = (own: string): string => `name: top
steps: [{run: sub}]
---
name: sub
${own}steps: [echo a]`;
    await engine.run(sub(''));
    expect(server.mails.map((mail) => getHeader(mail, 'Subject'))).toEqual(['[good] top (succeeded)']);
    await engine.run(sub('mailOn: {success: true}\n'));
    expect(server.mails.map((mail) => getHeader(mail, 'Subject')).slice(1)).toEqual([
      '[good] sub (succeeded)',
      '[good] top (succeeded)',
    ]);
  });
});

describe('mail of a failed step', () => {
  test('is sent for each step with mailOnError, including handlers', async () => {
    const server = await startMailServer();
    const view = await new TestEngine().run(`${mails(server.port, '{failure: false}')}type: graph
steps:
  - { name: one, command: echo first; exit 1, mailOnError: true }
  - { name: two, command: exit 2, mailOnError: true, continueOn: failed }
  - { name: three, command: exit 3 }
  - { name: fine, command: echo fine, mailOnError: true }
handlerOn: {exit: {command: exit 4, mailOnError: true}}`);
    expect(view.status).toBe('failed');
    expect(new Set(server.mails.map((mail) => getHeader(mail, 'Subject')))).toEqual(
      new Set(['[bad] etl: onExit (failed)', '[bad] etl: one (failed)', '[bad] etl: two (failed)']),
    );
    expect(server.mails).toHaveLength(3);
    const one = server.mails.find((mail) => getHeader(mail, 'Subject')?.includes('one'))!;
    expect(getPart(one, 'text/plain')).toContain('Step "one" of etl failed\n');
    expect(getPart(one, 'text/plain')).not.toContain('three');
    expect(getPart(one, 'one.stdout.log')).toBe('first\n');
  });

  test('is not sent again for a failure that a retry keeps', async () => {
    const server = await startMailServer();
    const engine = new TestEngine();
    const view = await engine.run(`${mails(server.port, '{}')}type: graph
steps:
  - { name: one, command: exit 1, mailOnError: true }
  - { name: two, command: exit 2, mailOnError: true }`);
    expect(server.mails).toHaveLength(2);
    const options = { name: view.name, dagRunId: view.dagRunId, stepName: 'two' };
    await engine.host.api.call('runs.retry', options, testCaller);
    await engine.end(view);
    expect(server.mails.slice(2).map((mail) => getHeader(mail, 'Subject'))).toEqual([
      '[bad] etl: two (failed)',
    ]);
  });
});

/** Number of calls to a mail server; between two attempts one timer more is set than during a call. */
class Tries {
  readonly #engine: TestEngine;
  count = 0;
  #timers = Infinity;

  constructor(engine: TestEngine) {
    this.#engine = engine;
  }

  note(): number {
    this.#timers = this.#engine.clock.pending;
    return (this.count += 1);
  }

  get isPausing(): boolean {
    return this.#engine.clock.pending > this.#timers;
  }
}

describe('failed delivery of a mail', () => {
  test('is attempted three times, recorded, and changes nothing else', async () => {
    const engine = new TestEngine();
    const tries = new Tries(engine);
    const server = await startMailServer({ refuse: () => (tries.note(), reply(451, 'Not now')) });
    const spec = `${mails(server.port)}steps: [{command: echo a, mailOnError: true}]`;
    const view = await endSoon(engine, spec, () => tries.isPausing);
    expect(view.status).toBe('succeeded');
    expect(tries.count).toBe(3);
    const note = `Email about the run not sent: The mail server 127.0.0.1:${server.port} rejected recipient info@example.com: 451 Not now.`;
    expect(await notesOf(engine, view)).toEqual([`warning: ${note}`]);
    expect(readFileSync(path.join(view.logDir!, 'run.log'), 'utf8')).toContain(`warning: ${note}`);
    expect(engine.clock.pending).toBe(0);
  });

  test('succeeds at a later attempt', async () => {
    const engine = new TestEngine();
    const tries = new Tries(engine);
    const server = await startMailServer({
      refuse: () => (tries.note() === 1 ? reply(451, 'Not now') : undefined),
    });
    await endSoon(engine, `${mails(server.port)}steps: [echo a]`, () => tries.isPausing);
    expect(server.mails).toHaveLength(1);
  });

  test('is attempted once when the rejection is permanent', async () => {
    let asked = 0;
    const server = await startMailServer({ refuse: () => ((asked += 1), reply(550, 'No such user')) });
    await new TestEngine().run(`${mails(server.port)}steps: [echo a]`);
    expect(asked).toBe(1);
  });

  test('names the server that did not respond, and the mails that waited for it', async () => {
    const engine = new TestEngine();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const server = await startMailServer({ onConnect: () => resolve() });
    const steps =
      'steps: [{name: one, command: exit 1, mailOnError: true, continueOn: failed}, {name: two, command: exit 1, mailOnError: true}]';
    const run = await engine.start(mails(server.port) + steps);
    await asked;
    engine.clock.advance(60_000);
    const view = await engine.end(run);
    expect(await notesOf(engine, view)).toEqual([
      `warning: Email about "one" not sent: the mail server 127.0.0.1:${server.port} did not accept the email within the time limit of 60 s for all emails of the run. Check smtp.host and smtp.port.`,
      'warning: 2 more emails were not sent.',
    ]);
  });

  test.each([
    ['', 'warning: Email about the run not sent: The workflow has no mail server.'],
    [
      'smtp: {host: 127.0.0.1}\n',
      'warning: Email about the run not sent: "errorMail" requires "from" and "to", such as "errorMail: {from: etl@example.com, to: ops@example.com}".',
    ],
    [
      'smtp: {host: 127.0.0.1}\nerrorMail: {from: nobody, to: ops@example.com}\n',
      'warning: Email about the run not sent: Invalid email address "nobody" in "errorMail.from".',
    ],
    [
      'smtp: {host: "${HOST}"}\nsecrets: [{name: T, provider: env, key: NONE_OF_THAT}]\n',
      'warning: Email about the run not sent: cannot resolve the values of the run for "${HOST}"',
    ],
  ])('reports missing settings: %s', async (more, message) => {
    const engine = new TestEngine();
    const view = await engine.run(`mailOn: {failure: true}\n${more}steps: [exit 1]`);
    expect(view.status).toBe('failed');
    expect((await notesOf(engine, view)).join()).toContain(message);
  });
});
