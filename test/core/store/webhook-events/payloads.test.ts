import { describe, expect, it } from 'vitest';
import { webhookEvents } from '../../../../core/webhooks/catalog.ts';
import { testCaller } from '../../../harness/engine.ts';
import { WebhookTarget, SendingHarness } from '../../webhooks/webhook-harness.ts';
import { findSchemaViolations } from '../../webhooks/published-schemas.ts';

/** Read access to everything. */
const permissions = Object.fromEntries(
  webhookEvents.flatMap(({ permission }) =>
    (permission?.labels ?? []).map((label) => [label, 'read' as const]),
  ),
);

/** A harness with a webhook of each kind that receives runs, and the received payloads. */
async function openHarness() {
  const receiver = await WebhookTarget.open();
  const harness = await SendingHarness.open();
  const url = `${receiver.url}/hook`;
  const app = await harness.create({
    url: `${url}/app`,
    kind: 'app',
    owner: 'helper',
    options: { permissions },
  });
  const webhooks = [
    app,
    await harness.create({ url: `${url}/repository`, kind: 'repository', owner: 'local/workflows' }),
    await harness.create({ url: `${url}/organization`, kind: 'organization', owner: 'local' }),
    await harness.create({ url: `${url}/enterprise`, kind: 'enterprise', owner: 'local' }),
  ];
  const told = () =>
    receiver.received.map(({ headers, body, path }) => ({
      kind: path.split('/').at(-1)!,
      event: String(headers['x-platform-event']),
      payload: JSON.parse(body) as Record<string, unknown>,
    }));
  return { harness, hooks: webhooks, told };
}

const spec = `name: etl
tags: [deployment=production]
params: REGION=north
type: graph
maxActiveSteps: 1
steps:
  - name: load
    command: "false"
    continueOn: {failure: true}
  - name: never
    command: "true"
    preconditions: "false"
  - name: again
    command: "false"
    retryPolicy: {limit: 1, intervalSec: 0}
  - name: after
    command: "true"
    depends: again
  - name: call
    run: other
---
name: other
steps:
  - name: inner
    run: inmost
---
name: inmost
steps:
  - name: last
    command: "true"
`;

describe('run payloads', () => {
  it('match the published schemas for every result of a run', async () => {
    const { harness, hooks: webhooks, told } = await openHarness();
    await harness.engine.run(spec, { trigger: 'api', startedBy: 'ada' });
    await harness.engine.run('name: fine\nsteps:\n  - "true"\n', { trigger: 'schedule' });
    const soft = 'steps:\n  - {name: a, command: "false", continueOn: {failure: true}}\n  - "true"\n';
    await harness.engine.run(soft, { trigger: 'manual' });
    await harness.untilQuiet();
    for (const { id } of webhooks) await harness.engine.call('webhooks.delete', { hookId: id });
    await harness.untilQuiet();
    const all = told();
    expect(new Set(all.flatMap(({ event, payload }) => findSchemaViolations(event, payload)))).toEqual(
      new Set(),
    );
    expect([...new Set(all.map(({ event }) => event))].sort()).toEqual([
      'check_run',
      'deployment',
      'deployment_status',
      'meta',
      'ping',
      'status',
      'workflow_dispatch',
      'workflow_job',
      'workflow_run',
    ]);
    expect(new Set(all.map(({ kind }) => kind)).size).toBe(4);
  });

  it('contain each step as one job, queued, started and ended once, those of sub-runs after their callers', async () => {
    const { harness, told } = await openHarness();
    const { dagRunId } = await harness.engine.run(spec, { trigger: 'api', startedBy: 'ada' });
    await harness.untilQuiet();
    const jobs = told()
      .filter(({ kind, event }) => kind === 'repository' && event === 'workflow_job')
      .map(({ payload }) => payload as { action: string; workflow_job: Record<string, unknown> });
    const courses = Map.groupBy(
      jobs,
      ({ workflow_job: job }) => `${String(job['id'])} ${String(job['name'])}`,
    );
    expect(
      Object.fromEntries(
        [...courses].map(([job, course]) => [
          job.split(' ').slice(1).join(' '),
          course.map(({ action }) => action),
        ]),
      ),
    ).toEqual({
      load: ['queued', 'in_progress', 'completed'],
      never: ['completed'],
      again: ['queued', 'in_progress', 'completed'],
      after: ['completed'],
      call: ['queued', 'in_progress', 'completed'],
      'call / inner': ['queued', 'in_progress', 'completed'],
      'call / inner / last': ['queued', 'in_progress', 'completed'],
    });
    // All of them belong to one run, the only one that receivers see.
    expect(new Set(jobs.map(({ workflow_job: job }) => job['run_id'])).size).toBe(1);
    const runs = told().filter(({ kind, event }) => kind === 'repository' && event === 'workflow_run');
    expect(runs).toHaveLength(3);
    expect(runs.every(({ payload }) => JSON.stringify(payload).includes(dagRunId))).toBe(true);
  });

  it('match when an app is notified of a revoked token, which it cannot unsubscribe from', async () => {
    const { harness, told } = await openHarness();
    const { token } = await harness.engine.call('tokens.create', { name: 'deploy', role: 'operator' });
    await harness.engine.call('tokens.delete', { tokenId: token.id });
    await harness.untilQuiet();
    const revoked = told().filter(({ event }) => event === 'app_authorization');
    expect(revoked).toMatchObject([
      { kind: 'app', payload: { action: 'revoked', sender: { login: 'ghost' } } },
    ]);
    expect(findSchemaViolations('app_authorization', revoked[0]!.payload)).toEqual([]);
  });

  it('match when tokens end with their user, each with its own notification', async () => {
    const { harness, told } = await openHarness();
    const { id, username } = await harness.engine.call('users.create', {
      username: 'bob',
      role: 'operator',
      password: 'correct horse battery',
    });
    const bob = { ...testCaller, user: { id, username } };
    await harness.engine.call('tokens.create', { name: 'of nobody', role: 'viewer' });
    for (const name of ['deploy', 'report'])
      await harness.engine.host.api.call('tokens.create', { name, role: 'operator' }, bob);
    await harness.engine.call('users.create', {
      username: 'ann',
      role: 'admin',
      password: 'correct horse battery',
    });
    await harness.engine.call('users.delete', { userId: id });
    await harness.untilQuiet();
    const revoked = told().filter(({ event }) => event === 'app_authorization');
    expect(revoked).toMatchObject([
      { kind: 'app', payload: { action: 'revoked', sender: { login: 'bob' } } },
      { kind: 'app', payload: { action: 'revoked', sender: { login: 'bob' } } },
    ]);
    for (const { payload } of revoked) expect(findSchemaViolations('app_authorization', payload)).toEqual([]);
    expect((await harness.engine.call('tokens.list', {})).tokens.map(({ name }) => name)).toEqual([
      'of nobody',
    ]);
  });
});
