import { expect, test } from 'vitest';
import { CatalogCache } from '../../../../core/gateway/catalog/catalog-cache.ts';
import {
  DatabaseError,
  DatabaseUnavailable,
  type GatewayDatabase,
  type StatementResult,
} from '../../../../core/store/sql/database.ts';
import { FakeClock, silentLogger } from '../../../harness/fakes.ts';
import { until } from '../../../harness/resources.ts';

/** An empty database with responses that the test controls. */
class SlowDatabase implements GatewayDatabase {
  readonly waiting: PromiseWithResolvers<void>[] = [];
  readonly notified = new Map<string, (payload: string | undefined) => void>();

  async transact({ statements }: { statements: readonly unknown[] }): Promise<StatementResult[]> {
    const turn = Promise.withResolvers<void>();
    this.waiting.push(turn);
    await turn.promise;
    return statements.map(() => ({ columns: [], rows: [['[]']], affected: 0 }));
  }

  async listen(
    channel: string,
    onNotice: (payload: string | undefined) => void,
  ): Promise<() => Promise<void>> {
    this.notified.set(channel, onNotice);
    return async () => void this.notified.delete(channel);
  }

  async next(): Promise<PromiseWithResolvers<void>> {
    await until(() => this.waiting.length > 0);
    return this.waiting.shift()!;
  }

  async runScript(): Promise<StatementResult[]> {
    return [];
  }

  status(): ReturnType<GatewayDatabase['status']> {
    return { kind: 'server', state: 'open', place: 'here' };
  }

  async close(): Promise<void> {}
}

const keep = () => {
  const database = new SlowDatabase();
  const clock = new FakeClock();
  const scope = { schemas: ['public'], extraSearchPath: [], clock };
  return { database, clock, keeper: new CatalogCache(database, scope, silentLogger) };
};

test('concurrent first requests wait for one load', async () => {
  const { database, keeper } = keep();
  expect(keeper.isReading).toBe(false);
  const both = Promise.all([keeper.get(), keeper.get()]);
  const reading = await database.next();
  expect(keeper.isReading).toBe(true);
  reading.resolve();
  const [one, other] = await both;
  expect(one).toBe(other);
  expect(await keeper.get()).toBe(one);
  expect(database.waiting).toHaveLength(0);
});

test('reloads what changes during a load; no request gets the stale catalog', async () => {
  const { database, keeper } = keep();
  const first = keeper.get();
  const reading = await database.next();
  database.notified.get('pgrst')!('');
  const second = keeper.get();
  reading.resolve();
  const early = await first;
  expect(keeper.current).toBeUndefined();
  (await database.next()).resolve();
  const late = await second;
  expect(late).not.toBe(early);
  expect(keeper.current).toBe(late);
  expect(database.waiting).toHaveLength(0);
});

test('reloads after a lost connection', async () => {
  const { database, keeper } = keep();
  const first = keeper.get();
  (await database.next()).resolve();
  const before = await first;
  database.notified.get('stepwright')!(undefined);
  (await database.next()).resolve();
  await until(() => keeper.current !== undefined);
  expect(keeper.current).not.toBe(before);
});

test('rejects with PGRST002 when the catalog cannot be loaded, and retries', async () => {
  const { database, keeper } = keep();
  const refused = keeper.get();
  (await database.next()).reject(new DatabaseError('permission denied for pg_proc', { code: '42501' }));
  await expect(refused).rejects.toMatchObject({
    status: 503,
    code: 'PGRST002',
    details: 'permission denied for pg_proc',
  });
  const again = keeper.get();
  (await database.next()).resolve();
  expect(await again).toBe(keeper.current);
});

test('keeps using the last catalog while a reload fails', async () => {
  const { database, keeper, clock } = keep();
  const first = keeper.get();
  (await database.next()).resolve();
  const before = await first;
  const refuse = async (): Promise<void> =>
    (await database.next()).reject(new DatabaseError('stack depth limit exceeded', { code: '54001' }));
  const reload = keeper.reload();
  await refuse();
  await expect(reload).rejects.toMatchObject({ code: 'PGRST002', details: 'stack depth limit exceeded' });
  const since = clock.now();
  expect(await keeper.get()).toBe(before);
  expect(keeper.failure).toMatchObject({ message: 'stack depth limit exceeded', since });
  expect(database.waiting).toHaveLength(0);

  // Some time later a request retries, and still gets a response.
  clock.advance(30_000);
  const late = keeper.get();
  await refuse();
  expect(await late).toBe(before);
  expect(keeper.failure).toMatchObject({ since });

  const mended = keeper.reload();
  (await database.next()).resolve();
  expect(await mended).not.toBe(before);
  expect(await keeper.get()).toBe(await mended);
  expect(keeper.failure).toBeUndefined();
});

test('loads a change at once, also after a failed reload', async () => {
  const { database, keeper } = keep();
  const first = keeper.get();
  (await database.next()).resolve();
  const before = await first;
  database.notified.get('pgrst')!('');
  (await database.next()).reject(new DatabaseError('broken', { code: 'XX000' }));
  await until(() => keeper.failure !== undefined);
  expect(await keeper.get()).toBe(before);
  database.notified.get('pgrst')!('');
  const waiting = keeper.get();
  (await database.next()).resolve();
  expect(await waiting).not.toBe(before);
});

test('a reload without a database discards the old catalog', async () => {
  const { database, keeper } = keep();
  const first = keeper.get();
  (await database.next()).resolve();
  await first;
  const lost = new DatabaseUnavailable('The server does not answer.', 'unreachable');
  const reload = keeper.reload();
  (await database.next()).reject(lost);
  await expect(reload).rejects.toBe(lost);
  expect(keeper.current).toBeUndefined();
});

test('after close it neither listens nor loads', async () => {
  const { database, keeper } = keep();
  const first = keeper.get();
  (await database.next()).resolve();
  await first;
  await keeper.close();
  expect(database.notified.size).toBe(0);
  await expect(keeper.reload()).rejects.toMatchObject({ reason: 'closed' });
});
