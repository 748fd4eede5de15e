import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { describeOnGateways } from './gateway-harness.ts';

const schema = `
DROP ROLE IF EXISTS hasty;
CREATE ROLE hasty NOLOGIN;
ALTER ROLE hasty SET statement_timeout = '300ms';
ALTER ROLE hasty SET timezone = 'Asia/Tokyo';
ALTER ROLE hasty SET app.shade = 'blue';
ALTER ROLE hasty SET search_path = 'pg_catalog';
ALTER ROLE hasty SET default_transaction_isolation = 'repeatable read';
DROP ROLE IF EXISTS watcher;
CREATE ROLE watcher NOLOGIN;
ALTER ROLE watcher SET default_transaction_read_only = on;
CREATE TABLE marks (word text);
GRANT SELECT, INSERT ON marks TO hasty, watcher;
CREATE FUNCTION session() RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('role', current_user, 'zone', current_setting('timezone'),
    'shade', current_setting('app.shade', true), 'search', current_setting('search_path'),
    'isolation', current_setting('transaction_isolation'))
$$;
CREATE FUNCTION spin() RETURNS int LANGUAGE plpgsql STABLE AS $$ BEGIN LOOP END LOOP; END $$;
CREATE FUNCTION spin_and_write() RETURNS int LANGUAGE plpgsql AS $$
BEGIN INSERT INTO marks VALUES ('spun'); LOOP END LOOP; END $$;
`;

const jwtKey = 'a secret of at least 32 characters, this one';
const as = async (role: string) => ({
  authorization: `Bearer ${await new SignJWT({ role }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(jwtKey))}`,
});

// The gateway itself has no limit: requests that end here are ended by what is tested.
describeOnGateways(
  'ending requests',
  schema,
  (scene) => {
    describe('settings of a role', () => {
      it('apply to requests that run as that role, and to no other', async () => {
        const harness = await (await scene()).build({ jwtKey, anonymousRole: 'watcher' });
        const headers = await as('hasty');
        expect((await harness.ask('/rpc/session', { headers })).body).toEqual({
          role: 'hasty',
          zone: 'Asia/Tokyo',
          shade: 'blue',
          search: '"public", "public"',
          isolation: 'repeatable read',
        });
        const wished = await harness.ask('/rpc/session', {
          headers: { ...headers, prefer: 'timezone=Europe/Bern' },
        });
        expect(wished.body).toMatchObject({ zone: 'Asia/Tokyo' });
        const other = await harness.ask('/rpc/session', {
          headers: { ...headers, prefer: 'timezone=Europe/Zurich' },
        });
        expect(other.body).toMatchObject({ zone: 'Europe/Zurich' });
        const anonymous = (await harness.ask('/rpc/session')).body as { shade: string | null };
        expect(anonymous).toMatchObject({ role: 'watcher', isolation: 'read committed' });
        expect(anonymous.shade ?? '').toBe('');
      });

      it('limit the duration of its statements', async () => {
        const harness = await (await scene()).build({ jwtKey });
        const reply = await harness.ask('/rpc/spin', { headers: await as('hasty') });
        expect(reply).toMatchObject({ status: 500, body: { code: '57014' } });
        expect((await harness.ask('/marks', { headers: await as('watcher') })).status).toBe(200);
      });

      it('make a role read-only', async () => {
        const harness = await (await scene()).build({ jwtKey });
        const headers = await as('watcher');
        expect(await harness.ask('/marks', { method: 'POST', headers, body: { word: 'x' } })).toMatchObject({
          status: 405,
          body: { code: '25006' },
        });
        expect((await harness.ask('/marks', { headers })).status).toBe(200);
      });
    });

    describe('client that disconnects', () => {
      it.each(['GET /rpc/spin', 'POST /rpc/spin_and_write'])(
        'cancels its statement, and rolls it back: %s',
        async (asked) => {
          const [method = '', path = ''] = asked.split(' ');
          const { harness, under } = await scene();
          const { database, kind } = under;
          const leaving = new AbortController();
          const attempt = harness.ask(
            path,
            { method, body: method === 'POST' ? {} : undefined },
            leaving.signal,
          );
          const text = `SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%"spin%' AND pid <> pg_backend_pid()`;
          const inProgress = async (): Promise<string> => {
            // The embedded database has one session: it responds when the other statement has ended.
            if (kind === 'embedded') return '0';
            return (await database.runScript(text))[0]!.rows[0]![0]!;
          };
          if (kind !== 'embedded') while ((await inProgress()) === '0');
          leaving.abort();
          await expect(attempt).rejects.toThrow('aborted');
          while ((await inProgress()) !== '0');
          expect((await harness.ask('/marks')).body).toEqual([]);
        },
      );
    });
  },
  { statementTimeoutMs: 0 },
);
