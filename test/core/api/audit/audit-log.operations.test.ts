import { describe, expect, it, test } from 'vitest';
import { formatTarget } from '../../../../core/api/audit/format-target.ts';
import type { Operation } from '../../../../core/contract/operation.ts';
import { operations, type OperationName } from '../../../../core/contract/operations.ts';
import { createAuditStore } from '../../../../core/store/audit.ts';
import { toAsynchronous } from '../../../../core/store/open-store.ts';
import type { AuditEntry, AuditStore } from '../../../../core/store/types/audit.ts';
import { TestEngine } from '../../../harness/engine.ts';
import { openMemoryDatabase } from '../../store/store-harness.ts';

const admin = { via: 'http', name: 'root', address: '10.0.0.7' } as const;

/**
 * Operations that change something and leave no entry in the audit trail: unsaved text and card positions are written
 * with every keystroke and can be undone; the others only compute a response.
 */
const untracedOperations: ReadonlySet<OperationName> = new Set<OperationName>([
  'dags.validate',
  'dags.importCrontab',
  'dags.dry',
  'runs.dry',
  'drafts.put',
  'drafts.delete',
  'drafts.putNew',
  'drafts.deleteNew',
  'layouts.put',
  'system.check',
  'gateway.reload',
  'gateway.rows',
  'gateway.value',
  // Audited when it is finished.
  'gateway.createImport',
  'gateway.addImportRows',
  'gateway.cancelImport',
]);

test('every mutating operation is audited or explicitly exempt', () => {
  const entries: [string, Operation][] = Object.entries(operations);
  const changing = entries.filter(([, { method }]) => method !== 'GET').map(([name]) => name);
  const audited = entries.filter(([, { audit }]) => audit !== undefined).map(([name]) => name);
  expect(new Set([...audited, ...untracedOperations])).toEqual(new Set(changing));
  expect(entries.filter(([, { audit, label }]) => audit !== undefined && label === undefined)).toEqual([]);
});

describe('audit trail', () => {
  it('records who did what, and the outcome', async () => {
    const { host } = new TestEngine();
    const { api } = host;
    await api.call('runs.start', { spec: 'name: etl\nsteps: ["true"]', dagRunId: 'r1' }, admin);
    await expect(api.call('runs.stop', { name: 'etl', dagRunId: 'gone' }, admin)).rejects.toMatchObject({
      code: 'not_found',
    });
    await api.call('dags.list', {}, admin);
    const { entries, kept } = await api.call('audit.list', {}, admin);
    expect(entries).toMatchObject([
      { actor: 'root', via: 'http', operation: 'runs.stop', target: 'etl/gone', outcome: 'not_found' },
      { address: '10.0.0.7', operation: 'runs.start', target: 'etl/r1', outcome: 'done' },
    ]);
    expect(kept).toEqual({ days: 365, entries: 200_000 });
  });

  it('records unauthorized attempts', async () => {
    const { host } = new TestEngine();
    const eve = { via: 'http', name: 'eve', role: 'viewer' } as const;
    await expect(host.api.call('queues.pause', { queue: 'etl' }, eve)).rejects.toThrow(
      'eve has the role viewer, which does not allow this: pause a queue. Ask an admin for the role operator.',
    );
    await expect(host.api.call('audit.list', {}, eve)).rejects.toMatchObject({ code: 'forbidden' });
    const { entries } = await host.api.call('audit.list', {}, admin);
    expect(entries).toMatchObject([
      { actor: 'eve', operation: 'queues.pause', target: 'queue etl', outcome: 'forbidden' },
    ]);
  });

  it('can be filtered and paginated', async () => {
    const { host } = new TestEngine();
    for (const queue of ['a', 'b', 'c'])
      await expect(
        host.api.call('queues.pause', { queue }, { via: 'cli', name: 'ann' }),
      ).rejects.toMatchObject({ code: 'not_found' });
    await host.api.call('runs.start', { spec: 'name: etl\nsteps: ["true"]', dagRunId: 'r1' }, admin);
    const list = (input: object) => host.api.call('audit.list', input, admin);
    const targets = async (input: object) => (await list(input)).entries.map(({ target }) => target);
    expect(await targets({ actor: 'ann' })).toEqual(['queue c', 'queue b', 'queue a']);
    expect(await targets({ operation: 'queues', target: 'UE B' })).toEqual(['queue b']);
    expect(await targets({ outcome: 'done' })).toEqual(['etl/r1']);
    expect(await targets({ toDate: '2000-01-01' })).toEqual([]);
    const first = await list({ outcome: 'refused', limit: 2 });
    expect(first.entries).toHaveLength(2);
    expect(await targets({ outcome: 'refused', limit: 2, cursor: first.nextCursor })).toEqual(['queue a']);
  });
});

describe('audit target', () => {
  it.each([
    ['users.create', { username: 'anna', password: 'hunter2', role: 'viewer' }, {}, 'anna · role viewer'],
    ['users.update', { userId: 'u1', role: 'admin' }, { username: 'anna' }, 'anna · role admin'],
    ['auth.login', { username: 'anna', password: 'hunter2' }, undefined, 'anna'],
    [
      'tokens.create',
      { name: 'ci', role: 'admin' },
      { token: { name: 'ci' }, secret: 's3cret' },
      'ci · role admin',
    ],
    ['dags.rename', { fileName: 'old', newFileName: 'new' }, {}, 'old · to new'],
    ['dags.start', { fileName: 'etl', params: 'KEY=s3cret' }, { name: 'etl', dagRunId: 'r' }, 'etl/r'],
    [
      'runs.setStepStatus',
      { name: 'e', dagRunId: 'r', step: 'load', status: 'failed' },
      {},
      'e/r · load · status failed',
    ],
    ['dags.suspend', { fileName: 'etl', suspend: true }, { suspended: true }, 'etl · suspended'],
    ['runs.start', { spec: 's3cret' }, undefined, ''],
    [
      'gateway.request',
      { method: 'PATCH', path: '/clients?key=eq.s3cret', body: '{"key": "s3cret"}' },
      { status: 204 },
      'PATCH /clients',
    ],
    ['queues.move', { queue: 'q', name: 'e', dagRunId: 'r', position: 1 }, {}, 'queue q · e/r'],
  ])('%s with %j', (operation, input, answer, target) => {
    const { audit }: Operation = operations[operation as OperationName];
    const text = formatTarget(audit!, input, answer);
    expect(text).toBe(target);
    expect(text).not.toMatch(/hunter2|s3cret/);
  });
});

describe('stored entries', () => {
  const entry = (at: number, target = ''): AuditEntry => ({
    at,
    actor: 'ann',
    via: 'cli',
    operation: 'dags.start',
    target,
    outcome: 'done',
  });

  it('are never changed, and the oldest are removed', async () => {
    const database = openMemoryDatabase();
    const store = toAsynchronous<AuditStore>(
      createAuditStore(database, { ageMs: 1000, entries: 3 }),
      database,
    );
    await store.add([entry(1, 'a'), entry(2, 'b')]);
    expect(() => database.run("UPDATE audit SET actor = 'eve'")).toThrow('never changed');
    await store.add([entry(3, 'c'), entry(4, 'd')]);
    const targets = async () => (await store.list({ limit: 10 })).entries.map(({ target }) => target);
    expect(await targets()).toEqual(['d', 'c', 'b']);
    await store.add([entry(1004, 'e')]);
    expect(await targets()).toEqual(['e', 'd']);
  });
});
