import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Logger } from '../../../core/base/logger.ts';
import { readGatewaySettings } from '../../../core/gateway/gateway-settings.ts';
import { assembleGateway, type OpenGateway } from '../../../core/gateway/service/open-gateway.ts';
import { systemClock } from '../../../core/base/system-clock.ts';
import { describeOnDatabases } from '../../harness/databases.ts';
import { fuzzing, fuzzTimeoutMs } from '../../harness/fuzzing.ts';
import { anyRequest } from './fuzz/any-request.ts';
import { shopSql } from './plan/shop.ts';
import { defaultConfig } from '../../harness/engine.ts';

const SEED = 20_261_122;
const REQUESTS = 300;
/** The embedded database and two servers divide the time between them. */
const databases = 3;

const SECRET = 'never to be seen nor touched';

const vaultSql = `CREATE SCHEMA vault;
CREATE TABLE vault.sentinel (id int PRIMARY KEY, secret text NOT NULL);
INSERT INTO vault.sentinel VALUES (1, '${SECRET}');`;

/** Everything that an unauthorized request could create, change, delete or leave behind. */
const stateSql = `SELECT
  (SELECT string_agg(concat(s.id, s.secret, s.xmin), ',') FROM vault.sentinel AS s),
  (SELECT md5(string_agg(concat(c.oid, c.relname, c.relacl), ',' ORDER BY c.oid)) FROM pg_class AS c),
  (SELECT md5(string_agg(concat(p.oid, p.proname, p.prosrc), ',' ORDER BY p.oid)) FROM pg_proc AS p),
  (SELECT md5(string_agg(concat(t.oid, t.typname), ',' ORDER BY t.oid)) FROM pg_type AS t),
  (SELECT string_agg(concat(r.rolname, r.rolsuper), ',' ORDER BY r.oid) FROM pg_roles AS r),
  (SELECT string_agg(n.nspname, ',' ORDER BY n.oid) FROM pg_namespace AS n),
  current_setting('search_path'), current_user, current_setting('timezone')`;

describeOnDatabases('any gateway request', (under) => {
  let open: OpenGateway;
  const logged: string[] = [];
  const note = (message: string): void => void logged.push(message);
  const logger: Logger = { info: () => undefined, warn: note, error: note };

  beforeAll(async () => {
    const { database } = under();
    await database.runScript(shopSql + vaultSql);
    const settings = { ...readGatewaySettings(defaultConfig), schemas: ['shop'], allowsAggregates: true };
    open = assembleGateway(settings, database, systemClock, logger);
    await open.catalogs.get();
  }, 60_000);

  afterAll(() => open.catalogs.close());

  const readState = async (): Promise<unknown> => {
    const statements = [{ text: stateSql, values: [] }];
    const [result] = await under().database.transact({ isReadOnly: true, statements });
    return result!.rows[0];
  };

  it(
    'never fails, and reaches only what is exposed',
    async () => {
      const before = await readState();
      const statuses = new Map<number, number>();
      await fc.assert(
        fc.asyncProperty(anyRequest, async (request) => {
          const { status, body } = await open.gateway.handle(request);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          expect(status, `${body}\n${logged.join('\n')}`).toBeLessThan(500);
          expect(body ?? '').not.toContain(SECRET);
        }),
        fuzzing(SEED, REQUESTS, databases),
      );
      expect(await readState()).toEqual(before);
      expect(logged).toEqual([]);
      // If hardly anything reached the database, this would show little.
      expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBeGreaterThan(REQUESTS / 10);
    },
    fuzzTimeoutMs,
  );

  it.each([
    ['sibling resources', `select=${Array.from({ length: 100 }, (_, i) => `m${i}:makers(name)`).join(',')}`],
    ['nested resources', `select=${'items(name,makers('.repeat(9)}name${'))'.repeat(9)}`, 'makers'],
    ['columns', `select=${Array.from({ length: 1_000 }, (_, i) => `c${i}:name`).join(',')}`],
    [
      'paths into values',
      `select=${Array.from({ length: 300 }, (_, i) => `c${i}:data${'->a'.repeat(40)}`).join(',')}`,
    ],
    ['conditions', `or=(${'id.eq.1,name.like.*a*,'.repeat(499)}id.eq.2)`],
    ['nested groups', `or=(${'id.eq.1,and(id.eq.2,or('.repeat(24)}id.eq.1${'))'.repeat(24)})`],
    ['values', `id=in.(${Array.from({ length: 40_000 }, (_, i) => i).join(',')})`],
    ['converted values', `color=in.(${'%23000000,'.repeat(10_000)}%230000ff)`],
    ['filters', Array.from({ length: 900 }, (_, i) => `id=neq.${i + 10}`).join('&')],
    ['orders', `order=${Array.from({ length: 999 }, () => 'data->a->b').join(',')}`],
    ['a pattern', `name=match.${encodeURIComponent('(a*)*(a*)*b'.repeat(50))}`],
    ['a search', `words=fts.${encodeURIComponent(`${'('.repeat(3_000)}a${')'.repeat(3_000)}`)}`],
  ])('is answered or rejected when it is large: %s', async (_, query, table = 'items') => {
    const { status, body } = await open.gateway.handle({
      method: 'GET',
      path: [table],
      query,
      headers: {},
      body: new Uint8Array(),
      isLoopback: true,
      mount: '/gateway',
    });
    expect(status, `${body}`).toBeLessThan(500);
  });
});
