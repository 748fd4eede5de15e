import { createNodeMiddleware, Webhooks } from '@octokit/webhooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { webhookKinds } from '../../../../core/contract/webhook-views.ts';
import { webhookEvents } from '../../../../core/webhooks/catalog.ts';
import { onTestCleanup } from '../../../harness/resources.ts';
import { WebhookTarget, SendingHarness } from '../webhook-harness.ts';

/** An error is expected, with any message. */
const noLog = { debug() {}, info() {}, warn() {}, error() {} };

interface SentEvent {
  readonly event: string;
  readonly path: string;
  readonly payload: Record<string, unknown>;
}

/** A harness with a receiver, and its notifications besides pings. */
async function openHarness() {
  const receiver = await WebhookTarget.open();
  const harness = await SendingHarness.open();
  const listTold = (): SentEvent[] =>
    receiver.received
      .filter(({ headers }) => headers['content-type'] === 'application/json')
      .map(({ headers, body, path }) => ({
        event: String(headers['x-platform-event']),
        path,
        payload: JSON.parse(body) as Record<string, unknown>,
      }))
      .filter(({ event }) => event !== 'ping');
  const create = (path: string, wanted: Parameters<SendingHarness['create']>[0] | object) =>
    harness.create({ ...wanted, url: `${receiver.url}/${path}` });
  const emit = async (event: string, payload: Record<string, unknown>, refsAtOnce?: number) => {
    const answer = await harness.engine.call('webhooks.emit', { event, payload, refsAtOnce });
    await harness.untilQuiet();
    return answer;
  };
  return { harness, receiver, listTold, create, emit };
}

const repository = { id: 7, full_name: 'octo/hello', owner: { login: 'octo', id: 9 } };

describe('webhooks are notified of events in their scope', () => {
  it('of a repository, its organization and the enterprise; each adds its own properties', async () => {
    const { listTold, create, emit } = await openHarness();
    await create('repo', { kind: 'repository', owner: 'Octo/Hello', events: ['star'] });
    await create('other', { kind: 'repository', owner: 'octo/other', events: ['star'] });
    await create('org', { kind: 'organization', owner: 'octo', events: ['star'] });
    await create('big', { kind: 'enterprise', owner: 'local', events: ['repository'] });
    const answer = await emit('star', { action: 'created', starred_at: null, repository });
    expect(answer).toMatchObject({ emitted: true, hooks: 2 });
    await emit('repository', { action: 'archived', repository });
    const told = listTold();
    expect(told.map(({ path }) => path).sort()).toEqual(['/big', '/org', '/repo']);
    expect(told.find(({ path }) => path === '/org')!.payload['organization']).toMatchObject({
      login: 'octo',
    });
    expect(told.find(({ path }) => path === '/big')!.payload['enterprise']).toMatchObject({ slug: 'local' });
    expect(told.find(({ path }) => path === '/repo')!.payload).not.toHaveProperty('organization');
    // All of them have the one GUID of the event, without a known actor.
    expect(told.every(({ payload }) => (payload['sender'] as { login: string }).login === 'ghost')).toBe(
      true,
    );
  });

  it('of each event of the catalog: by its example, and by a payload without actor and location', async () => {
    const { harness, create } = await openHarness();
    const labels = webhookEvents.flatMap(({ permission }) => permission?.labels ?? []);
    const permissions = Object.fromEntries(labels.map((label) => [label, 'write']));
    for (const kind of webhookKinds)
      await create(kind, { kind, ...(kind === 'app' && { options: { permissions } }) });
    for (const { name, availability } of webhookEvents) {
      const { payload } = await harness.engine.call('webhooks.example', { event: name });
      const { action } = payload;
      // One belongs to an organization, and without an account there is no one to sponsor.
      const ofExample = availability.length - (name === 'ping' ? 1 : 0);
      const ofBare = availability.filter((kind) => kind !== 'sponsored').length;
      const emit = (told: typeof payload) =>
        harness.engine.call('webhooks.emit', { event: name, payload: told });
      expect([name, await emit(payload)]).toMatchObject([name, { emitted: true, hooks: ofExample }]);
      expect([name, await emit({ action })]).toMatchObject([name, { emitted: true, hooks: ofBare }]);
    }
  });

  it('and the emitter of an event without recipients gets the reason', async () => {
    const { emit, create, listTold } = await openHarness();
    await create('star', { kind: 'organization', owner: 'octo', events: ['star'] });
    expect(await emit('push', { repository })).toMatchObject({
      hooks: 0,
      reason: 'No active webhook is subscribed to "push" of octo/hello.',
    });
    await create('push', { kind: 'organization', owner: 'octo', events: ['push'] });
    await emit('push', { repository });
    expect(listTold()).toMatchObject([{ payload: { sender: { login: 'ghost' } } }]);
  });

  it('for apps: within permissions and installations, with the installation', async () => {
    const { listTold, create, emit } = await openHarness();
    const installations = [{ id: 5, account: 'octo', repositories: ['octo/hello'] }];
    await create('app', {
      kind: 'app',
      owner: 'one',
      events: ['push'],
      options: { permissions: { Contents: 'read', Checks: 'read' }, installations },
    });
    await create('weak', {
      kind: 'app',
      owner: 'two',
      events: ['star'],
      options: { permissions: { Metadata: 'read' } },
    });
    const push = { ref: 'refs/heads/main', repository };
    await emit('push', push);
    await emit('push', { ...push, repository: { ...repository, full_name: 'octo/other' } });
    await emit('push', { ...push, installation: { id: 6 } });
    await emit('installation', { action: 'created', installation: { id: 5 } });
    // It belongs to no account: every app is notified.
    await emit('app_authorization', { action: 'revoked' });
    // Requested again: that requires write access, which the app does not have.
    await emit('check_run', { action: 'rerequested', check_run: {}, repository });
    const five = { id: 5, node_id: expect.any(String) as string };
    expect(listTold().map(({ path, event, payload }) => [path, event, payload['installation']])).toEqual([
      ['/app', 'push', five],
      ['/app', 'installation', { id: 5 }],
      ['/weak', 'installation', { id: 5 }],
      ['/app', 'app_authorization', five],
      ['/weak', 'app_authorization', expect.any(Object)],
    ]);
  });

  it('for some actions only, where the event says so', async () => {
    const { listTold, create, emit } = await openHarness();
    await create('repo', { kind: 'repository', owner: 'octo/hello', events: ['check_run'] });
    for (const action of ['created', 'rerequested', 'completed'])
      await emit('check_run', { action, check_run: {}, repository });
    expect(listTold().map(({ payload }) => payload['action'])).toEqual(['created', 'completed']);
  });

  it('of listings and sponsored accounts', async () => {
    const { listTold, create, emit } = await openHarness();
    await create('market', { kind: 'marketplace', owner: 'helper', events: ['marketplace_purchase'] });
    await create('octo', { kind: 'sponsored', owner: 'octo', events: ['sponsorship'] });
    await create('other', { kind: 'sponsored', owner: 'other', events: ['sponsorship'] });
    await emit('marketplace_purchase', { action: 'cancelled', marketplace_purchase: {} });
    await emit('sponsorship', { action: 'cancelled', sponsorship: { sponsorable: { login: 'octo' } } });
    expect(listTold().map(({ path }) => path)).toEqual(['/market', '/octo']);
  });
});

describe('webhooks are not notified', () => {
  it.each([
    ['create', { ref: 'v1', ref_type: 'tag' }, 4],
    ['delete', { ref: 'v1', ref_type: 'tag' }, 4],
    ['push', { ref: 'refs/tags/v1' }, 4],
    ['push', { ref: 'refs/heads/main' }, 5001],
    ['deployment_status', { action: 'created', deployment: {}, deployment_status: { state: 'inactive' } }, 1],
  ] as const)('%s of %j, %i at once', async (event, payload, refs) => {
    const { listTold, create, emit } = await openHarness();
    await create('repo', { events: [event] });
    expect(await emit(event, payload, refs)).toMatchObject({ emitted: false, hooks: 0 });
    if (refs > 1) expect(await emit(event, payload, refs - 1)).toMatchObject({ emitted: true, hooks: 1 });
    expect(listTold()).toHaveLength(refs > 1 ? 1 : 0);
  });

  it('of a payload over 25 MB, which is stored as dropped', async () => {
    const { harness, listTold, create, emit } = await openHarness();
    const json = await create('json', { events: ['star'] });
    await create('form', { events: ['star'], format: 'form' });
    // Each quote is one byte more in JSON and three in a form.
    const filler = '"'.repeat(6 * 1024 * 1024);
    expect(await emit('star', { action: 'created', filler })).toMatchObject({ emitted: true, hooks: 2 });
    expect(listTold().map(({ path }) => path)).toEqual(['/json']);
    await emit('star', { action: 'created', filler: filler + filler + filler });
    const { messages } = await harness.engine.call('webhooks.messages', {});
    expect(messages.map(({ state }) => state)).toEqual(['dropped', 'dropped', 'dropped']);
    expect(messages[0]!.reason).toMatch(
      /The payload of 37754601 bytes exceeds the limit of 25 MB \(26214400 bytes\) and was not sent\./,
    );
    // Its payload is not.
    expect(messages.at(-1)!.reason).toMatch(
      /^The payload of 12\d{6} bytes becomes a form body of \d{8} bytes, which exceeds the limit of 25 MB \(26214400 bytes\) and was not sent\.$/,
    );
    const replayed = await harness.engine.call('webhooks.replay', { hookId: json.id, since: '2025-01-01' });
    expect(replayed).toEqual({ replayed: 0 });
  });

  it('of what happened before a webhook was created, or while it was disabled', async () => {
    const { harness, listTold, create, emit } = await openHarness();
    await emit('star', { action: 'created' });
    const { id } = await create('repo', { events: ['star'], active: false });
    await emit('star', { action: 'created' });
    await harness.engine.call('webhooks.update', { hookId: id, active: true });
    await emit('star', { action: 'deleted' });
    expect(listTold().map(({ payload }) => payload['action'])).toEqual(['deleted']);
  });
});

describe('a webhook that is deleted', () => {
  it('receives its deletion if it has the event, and nothing else', async () => {
    const { harness, listTold, create } = await openHarness();
    const told = await create('told', { events: ['meta', 'star'] });
    const silent = await create('silent', { events: ['star'] });
    await harness.untilQuiet();
    for (const { id } of [told, silent]) await harness.engine.call('webhooks.delete', { hookId: id });
    await harness.untilQuiet();
    expect(listTold()).toMatchObject([
      {
        path: '/told',
        event: 'meta',
        payload: { action: 'deleted', hook_id: told.id, hook: { type: 'Repository', name: 'web' } },
      },
    ]);
    expect((await harness.engine.call('webhooks.list', {})).hooks).toEqual([]);
  });
});

describe('run lifecycle', () => {
  it('is sent in the formats of receivers: who, which commit, and the result', async () => {
    const { harness, listTold, create } = await openHarness();
    await create('all', { options: { ordered: true } });
    const permissions = { Contents: 'read' };
    await create('app', { kind: 'app', owner: 'one', options: { ordered: true, permissions } });
    const spec =
      'name: etl\ntags: [deployment=production]\nparams: REGION=north\nsteps:\n  - name: load\n    command: "false"\n';
    await harness.engine.run(spec, { trigger: 'api', startedBy: 'ada' });
    await harness.untilQuiet();
    const of = (event: string): Record<string, unknown>[] =>
      listTold()
        .filter((one) => one.event === event)
        .map(({ payload }) => payload);
    expect(of('workflow_dispatch')).toMatchObject([
      {
        inputs: { REGION: 'north' },
        ref: 'refs/heads/main',
        workflow: 'dags/etl.yaml',
        sender: { login: 'ada' },
        installation: {},
      },
    ]);
    const runs = of('workflow_run');
    expect(runs).toMatchObject([
      { action: 'requested', workflow_run: { status: 'queued', conclusion: null } },
      { action: 'in_progress', workflow_run: { status: 'in_progress' } },
      {
        action: 'completed',
        workflow_run: {
          status: 'completed',
          conclusion: 'failure',
          name: 'etl',
          event: 'workflow_dispatch',
          run_attempt: 1,
        },
      },
    ]);
    const { head_sha: sha } = runs[0]!['workflow_run'] as { head_sha: string };
    expect(sha).toMatch(/^[0-9a-f]{40}$/);
    expect(of('status')).toMatchObject([
      { sha, state: 'pending', context: 'etl', name: 'local/workflows', branches: [{ name: 'main' }] },
      { sha, state: 'failure' },
    ]);
    expect(of('check_run')).toMatchObject([
      {
        action: 'created',
        check_run: { name: 'load', head_sha: sha, pull_requests: [] },
        sender: { login: 'ghost' },
      },
      { action: 'completed', check_run: { conclusion: 'failure' }, sender: { login: 'ghost' } },
    ]);
    expect(of('workflow_job')).toMatchObject([
      { action: 'queued', workflow_job: { name: 'load', status: 'queued', runner_name: null, steps: [] } },
      { action: 'in_progress', workflow_job: { name: 'load', conclusion: null } },
      { action: 'completed', workflow_job: { conclusion: 'failure', workflow_name: 'etl' } },
    ]);
    expect(of('deployment')).toMatchObject([
      { action: 'created', deployment: { sha, ref: 'main', environment: 'production' } },
    ]);
    expect(of('deployment_status').map((one) => one['deployment_status'])).toMatchObject([
      { state: 'queued', environment: 'production' },
      { state: 'in_progress' },
      { state: 'failure' },
    ]);
  });
});

describe('a receiver of @octokit/webhooks', () => {
  it('accepts our deliveries as the events that they are', async () => {
    const seen: string[] = [];
    const webhooks = new Webhooks({ secret: 'quiet', log: noLog });
    webhooks.onAny(({ name, id }) => void seen.push(`${name} ${id.length}`));
    const middleware = createNodeMiddleware(webhooks, { path: '/hook', log: noLog });
    const server = createServer((request, response) => void middleware(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestCleanup(() => server.close().closeAllConnections());
    const harness = await SendingHarness.open();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const { id } = await harness.create({
      url,
      secret: 'quiet',
      events: ['push', 'the service'],
      options: { allowPrivate: true, githubHeaders: true },
    });
    await harness.engine.call('webhooks.emit', {
      event: 'push',
      payload: { ref: 'refs/heads/main', commits: [] },
    });
    await harness.engine.call('webhooks.emit', { event: 'the service', payload: {} });
    await harness.untilQuiet();
    expect(seen.toSorted()).toEqual(['ping 36', 'public 36', 'push 36']);
    await harness.engine.call('webhooks.update', { hookId: id, secret: 'another' });
    await harness.engine.call('webhooks.emit', { event: 'push', payload: { ref: 'refs/heads/main' } });
    await harness.untilQuiet();
    const { deliveries } = await harness.engine.call('webhooks.deliveries', { hookId: id });
    expect(deliveries.map(({ statusCode }) => statusCode)).toEqual([400, 200, 200, 200]);
  });
});

describe('webhook tests', () => {
  it('send the newest push again when there is one that it is allowed to receive', async () => {
    const { harness, listTold, create, emit } = await openHarness();
    const { id } = await create('repo', { events: ['push'] });
    expect(await harness.engine.call('webhooks.test', { hookId: id })).toMatchObject({ sent: false });
    await emit('push', { ref: 'refs/heads/main' });
    expect(await harness.engine.call('webhooks.test', { hookId: id })).toEqual({ sent: true });
    await harness.untilQuiet();
    expect(listTold()).toHaveLength(2);
  });
});
