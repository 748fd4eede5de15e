import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, test, vi } from 'vitest';
import { routes } from '../../../../core/contract/routes.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';
import { NotificationHarness } from '../../webhooks/notifications/notification-harness.ts';
import { fuzzing, fuzzTimeoutMs } from '../../../harness/fuzzing.ts';

beforeEach(() => void vi.stubEnv('ENGINE_SECRETS_KEY', '0123456789abcdef'.repeat(3)));

const spec = `
secrets:
  - { name: TOKEN, provider: store, key: sales }
  - { name: OTHER, provider: env, key: HOME }
steps:
  - { name: fetch, command: 'echo "$TOKEN"' }
  - { name: load, command: "true" }
handlerOn: { failure: 'echo $TOKEN' }
`;

test('the list names stored secrets and those of workflows, with their steps and last run', async () => {
  const engine = new TestEngine();
  await engine.call('dags.create', { name: 'etl', spec });
  await engine.call('secrets.set', { name: 'sales', value: 'hunter2-value' });
  await engine.call('secrets.set', { name: 'unused', value: 'x' });
  const before = await engine.call('secrets.list', {});
  expect(before.secrets[1]).not.toHaveProperty('lastUsedAt');
  await engine.end(await engine.host.startRun({ source: { fileName: 'etl' }, trigger: 'api' }));
  const { secrets, store } = await engine.call('secrets.list', {});
  const use = { fileName: 'etl', workflow: 'etl' };
  expect(secrets).toEqual([
    {
      name: 'HOME',
      provider: 'env',
      lastUsedAt: expect.any(String),
      lastUsedBy: 'etl',
      usedBy: [{ ...use, variable: 'OTHER', steps: [] }],
      channels: [],
    },
    {
      name: 'sales',
      provider: 'store',
      changedAt: expect.any(String),
      changedBy: 'the test',
      lastUsedAt: expect.any(String),
      lastUsedBy: 'etl',
      usedBy: [{ ...use, variable: 'TOKEN', steps: ['fetch', 'failure'] }],
      channels: [],
    },
    {
      name: 'unused',
      provider: 'store',
      changedAt: expect.any(String),
      changedBy: 'the test',
      usedBy: [],
      channels: [],
    },
  ]);
  expect(store).toMatchObject({ state: 'open', isWeak: false });
});

test('a stored secret reaches steps, is masked, and fails the run before any step once it is deleted', async () => {
  const engine = new TestEngine();
  const stored = await engine.call('secrets.set', { name: 'sales', value: 'hunter2-value' });
  expect(stored).toMatchObject({ isNew: true, keyPlace: 'the variable ENGINE_SECRETS_KEY' });
  const use = `
secrets: [{ name: TOKEN, provider: store, key: sales }]
steps: [{ name: show, command: 'echo "it is $TOKEN"', output: SHOWN }]`;
  expect((await engine.run(use)).outputs).toEqual({ SHOWN: 'it is *******' });
  await engine.call('secrets.delete', { name: 'sales' });
  const failed = await engine.run(use);
  expect(failed.error).toContain('no stored secret "sales"; add it with "engine secrets set sales"');
  expect(failed.steps[0]!.status).toBe('not_started');
  await expect(engine.call('secrets.delete', { name: 'sales' })).rejects.toMatchObject({ code: 'not_found' });
});

describe('a host without the key', () => {
  it('says before the first step, in a dry run and in the list which host has it', async () => {
    const engine = new TestEngine();
    await engine.call('secrets.set', { name: 'sales', value: 'hunter2-value' });
    vi.stubEnv('ENGINE_SECRETS_KEY', 'another key that opens nothing');
    const other = new TestEngine({ home: engine.home });
    const use = `
secrets: [{ name: TOKEN, provider: store, key: sales }]
steps: [{ name: show, command: "true" }]`;
    const place = 'Its key is in the variable ENGINE_SECRETS_KEY on ';
    const run = await other.run(use);
    expect(run.error).toContain(place);
    expect(run.steps[0]!.status).toBe('not_started');
    const { findings } = await other.call('runs.dry', { spec: use });
    expect(findings[0]).toMatchObject({ severity: 'error', message: expect.stringContaining(place) });
    const { store } = await other.call('secrets.list', {});
    expect(store).toMatchObject({
      state: 'locked',
      problem: expect.stringContaining('Set ENGINE_SECRETS_KEY'),
    });
  });
});

test('changes are in the audit log by name, without values', async () => {
  const engine = new TestEngine();
  await engine.call('secrets.set', { name: 'sales', value: 'hunter2-value' });
  await engine.call('secrets.delete', { name: 'sales' });
  const { entries } = await engine.call('audit.list', {});
  expect(entries.map(({ operation, target }) => [operation, target])).toEqual([
    ['secrets.delete', 'sales'],
    ['secrets.set', 'sales'],
  ]);
  expect(JSON.stringify(entries)).not.toContain('hunter2');
});

/** The content of every file of a home. */
const readAll = (folder: string): Buffer[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name)));

const value = fc.string({
  unit: fc.constantFrom('a', 'Z', '7', '"', '\\', "'", '$', '%', 'ü', '🙂', '\n', ' ', '/', '+', '='),
  minLength: 12,
  maxLength: 60,
});

/** A channel that reads its authorization from a secret, and a webhook for all events. */
async function subscribe({ engine, service }: NotificationHarness): Promise<unknown[]> {
  const channel = await engine.call('channels.create', {
    ...{ name: 'ops', kind: 'url', url: service.url, allowPrivate: true },
    secrets: { authorization: 'key0' },
  });
  return [
    channel,
    await engine.call('rules.create', { name: 'failures', channels: ['ops'] }),
    await engine.call('webhooks.create', {
      ...{ url: service.url, events: ['*'], options: { allowPrivate: true } },
    }),
    await engine.call('channels.test', { channelId: channel.id }),
  ];
}

/** Everything that the streams of a finished run send. */
async function followRun(
  { host }: TestEngine,
  input: { name: string; dagRunId: string },
): Promise<unknown[]> {
  const sent: unknown[] = [];
  const follow = (name: 'events.followRun' | 'logs.followRun') =>
    new Promise<void>((resolve) => {
      const item = (each: unknown) => void sent.push(each);
      host.api.follow(name, { ...input, after: 0 }, { item, end: () => resolve() }, testCaller);
    });
  await Promise.all([follow('events.followRun'), follow('logs.followRun')]);
  return sent;
}

/**
 * Stores secrets, runs a workflow that prints them, and returns all that the API, the home, notifications and webhooks
 * then show.
 */
async function showEverything(values: readonly string[]): Promise<Buffer> {
  const engine = new TestEngine();
  const harness = await NotificationHarness.open(undefined, engine);
  const answers: unknown[] = [];
  for (const [index, each] of values.entries())
    answers.push(await engine.call('secrets.set', { name: `key${index}`, value: each }));
  const invalid = { name: 'key0', value: `${values[0]}\0` };
  answers.push(await engine.call('secrets.set', invalid).catch(String));
  const secrets = values.map((_, index) => ({
    name: `S${index}`,
    provider: index === 0 ? 'keychain' : 'store',
    key: `key${index}`,
  }));
  const steps = [
    { name: 'show', command: 'echo "$S0|$S1"; printf %s "$S1" >&2', output: 'SHOWN' },
    { name: 'fail', command: 'echo "$SHOWN"; echo "bad $S0" >&2; exit 3' },
  ];
  await engine.call('dags.create', { name: 'leaky', spec: JSON.stringify({ secrets, steps }) });
  answers.push(...(await subscribe(harness)));
  const run = await engine.host.startRun({ source: { fileName: 'leaky' }, trigger: 'api' });
  answers.push(await engine.end(run), await followRun(engine, run));
  await harness.untilQuiet();
  answers.push(harness.service.received.map(({ body }) => body));
  answers.push(
    await engine.call('runs.retryPlan', run),
    await engine.call('dags.dry', { fileName: 'leaky' }),
  );
  const input = { ...run, fileName: 'leaky', step: 'show', q: 'show' };
  for (const [name, { method }] of Object.entries(routes))
    if (method === 'GET')
      answers.push(await engine.host.api.call(name as 'runs.get', input, testCaller).catch(String));
  return Buffer.concat([Buffer.from(JSON.stringify(answers)), ...readAll(engine.home)]);
}

test(
  'a value appears in no response, event, log, notification, webhook, audit entry or file of the home',
  async () => {
    const property = fc.asyncProperty(fc.tuple(value, value), async (values) => {
      const everything = await showEverything(values.map((each) => `<${each}>`));
      expect(everything.includes('*******')).toBe(true);
      for (const each of values)
        for (const form of [each, JSON.stringify(each).slice(1, -1), encodeURIComponent(each)])
          expect({ form, isFound: everything.includes(`<${form}`) }).toEqual({ form, isFound: false });
    });
    await fc.assert(property, fuzzing(35, 2));
  },
  fuzzTimeoutMs,
);
