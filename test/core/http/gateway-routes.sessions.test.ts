import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { waitUntilPasses } from '../../harness/resources.ts';
import { describeOnGateways } from './gateway-harness.ts';

const schema = `
DROP ROLE IF EXISTS reader;
DROP ROLE IF EXISTS anybody;
DROP ROLE IF EXISTS hasty;
DROP ROLE IF EXISTS rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr;
DROP ROLE IF EXISTS root;
DROP ROLE IF EXISTS replicator;
CREATE ROLE root SUPERUSER;
CREATE ROLE replicator REPLICATION;
CREATE ROLE reader NOLOGIN;
CREATE ROLE anybody NOLOGIN;
CREATE ROLE hasty NOLOGIN;
ALTER ROLE hasty SET statement_timeout = '1s';
CREATE ROLE rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr;
CREATE TABLE secrets (owner text, word text);
INSERT INTO secrets VALUES ('ada', 'x'), ('bo', 'y');
ALTER TABLE secrets ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON secrets TO reader
  USING (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
GRANT SELECT, INSERT ON secrets TO reader;
CREATE TABLE sentinel (word text);
INSERT INTO sentinel VALUES ('untouched');
GRANT SELECT ON sentinel TO hasty;

CREATE FUNCTION session() RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'role', current_user, 'path', current_setting('request.path'), 'method', current_setting('request.method'),
    'agent', current_setting('request.headers')::json ->> 'x-agent',
    'cookie', current_setting('request.cookies')::json ->> 'flavour',
    'claims', current_setting('request.jwt.claims')::json, 'zone', current_setting('timezone'),
    'search', current_setting('search_path'), 'read_only', current_setting('transaction_read_only'))
$$;
CREATE FUNCTION answer(headers text, status text) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('response.headers', headers, true), set_config('response.status', status, true);
  INSERT INTO sentinel VALUES ('answered');
  RETURN 1;
END $$;
CREATE FUNCTION refuse() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  RAISE SQLSTATE 'PGRST' USING
    MESSAGE = '{"code":"CAT","message":"no cats","details":"none","hint":"dogs"}',
    DETAIL = '{"status":418,"headers":{"X-Pot":"tea"}}';
END $$;
CREATE FUNCTION teapot() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE SQLSTATE 'PT418' USING MESSAGE = 'short and stout'; END $$;
CREATE FUNCTION spin() RETURNS int LANGUAGE plpgsql STABLE AS $$ BEGIN LOOP END LOOP; END $$;
CREATE FUNCTION deep(n int) RETURNS int LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN deep(n + 1); END $$;
CREATE FUNCTION check_agent() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('request.headers')::json ->> 'x-agent' = 'bad' THEN
    RAISE insufficient_privilege USING MESSAGE = 'not this one';
  END IF;
END $$;
`;

const jwtKey = 'a secret of at least 32 characters, this one';
const sign = (claims: Record<string, unknown>, key = jwtKey): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(key));
const bearer = async (claims: Record<string, unknown>, key?: string) => ({
  authorization: `Bearer ${await sign(claims, key)}`,
});

describeOnGateways(
  'sessions',
  schema,
  (scene) => {
    describe('request', () => {
      it('is visible to the functions that it calls', async () => {
        const { harness } = await scene();
        const headers = { 'x-agent': 'tester', cookie: 'flavour=plum', prefer: 'timezone=Asia/Tokyo' };
        const reply = await harness.ask('/rpc/session', { headers });
        expect(reply.body).toMatchObject({
          path: '/rpc/session',
          method: 'GET',
          agent: 'tester',
          cookie: 'plum',
          claims: {},
          zone: 'Asia/Tokyo',
          search: '"public", "public"',
          read_only: 'on',
        });
        expect(reply.headers.get('preference-applied')).toBe('timezone=Asia/Tokyo');
      });

      it('leaves nothing behind for the next', async () => {
        const { harness } = await scene();
        const { body: before } = await harness.ask('/rpc/session');
        await harness.ask('/rpc/session', { headers: { prefer: 'timezone=Asia/Tokyo', 'x-agent': 'a' } });
        expect((await harness.ask('/rpc/session')).body).toEqual(before);
      });

      it('is isolated from concurrent ones, whatever they write and set', async () => {
        const { build, script } = await scene();
        await script('GRANT INSERT ON sentinel TO reader, anybody');
        const harness = await build({ jwtKey, anonymousRole: 'anybody' });
        const answer = async (sub: string, status: string): Promise<unknown> => {
          const headers = await bearer({ role: 'reader', sub });
          const body = { headers: '[{"X-Cat":"a"}]', status };
          const reply = await harness.ask('/rpc/answer', { method: 'POST', headers, body });
          return [reply.status, reply.headers.get('x-cat')];
        };
        const session = async (headers: Record<string, string>): Promise<unknown> => {
          const { status, body, headers: told } = await harness.ask('/rpc/session', { headers });
          const { role, claims } = body as { role: string; claims: { sub?: string } };
          return [status, role, claims.sub, told.get('x-cat')];
        };
        const insert = async (sub: string): Promise<unknown> => {
          const headers = await bearer({ role: 'reader', sub });
          return (await harness.ask('/sentinel', { method: 'POST', headers, body: { word: 'mine' } })).status;
        };
        const each = async (turn: number): Promise<unknown[]> =>
          Promise.all([
            answer(`a${turn}`, '202'),
            answer(`b${turn}`, 'teapot'),
            session(await bearer({ role: 'reader', sub: `c${turn}` })),
            session({}),
            insert(`d${turn}`),
          ]);
        const all = await Promise.all(Array.from({ length: 20 }, (_, turn) => each(turn)));
        const expected = (turn: number): unknown[] => [
          [202, 'a'],
          [500, null],
          [200, 'reader', `c${turn}`, null],
          [200, 'anybody', undefined, null],
          201,
        ];
        expect(all).toEqual(Array.from({ length: 20 }, (_, turn) => expected(turn)));
      });

      it('in an unknown time zone uses the default one, unless it is strict', async () => {
        const { harness } = await scene();
        const lenient = await harness.ask('/rpc/session', { headers: { prefer: 'timezone=Mars/Base' } });
        expect([lenient.status, lenient.headers.get('preference-applied')]).toEqual([200, null]);
        const strict = await harness.ask('/rpc/session', {
          headers: { prefer: 'handling=strict, timezone=Mars/Base' },
        });
        expect(strict).toMatchObject({ status: 400, body: { code: 'PGRST122' } });
      });
    });

    describe('role', () => {
      it('comes from the token, and policies apply to it', async () => {
        const harness = await (await scene()).build({ jwtKey });
        const headers = await bearer({ role: 'reader', sub: 'ada' });
        expect((await harness.ask('/secrets', { headers })).body).toEqual([{ owner: 'ada', word: 'x' }]);
        const refused = await harness.ask('/sentinel', { headers });
        expect(refused).toMatchObject({ status: 403, body: { code: '42501' } });
      });

      it('requires a token once there is a key', async () => {
        const harness = await (await scene()).build({ jwtKey });
        const reply = await harness.ask('/secrets');
        const hint = 'Send "Authorization: Bearer TOKEN", or set gateway.anonymousRole.';
        expect(reply).toMatchObject({ status: 401, body: { code: 'PGRST302', hint } });
        expect(reply.headers.get('www-authenticate')).toBe('Bearer');
        const roleless = await harness.ask('/secrets', { headers: await bearer({ sub: 'ada' }) });
        expect(roleless).toMatchObject({
          status: 401,
          body: {
            code: 'PGRST302',
            hint: expect.stringMatching(
              /^Add the role to the claim in gateway\.jwtRoleClaim, or set gateway\.anonymousRole\./,
            ) as unknown,
          },
        });
      });

      it.each([
        [
          'signed by another key',
          () => bearer({ role: 'reader' }, 'another secret of at least 32 characters'),
          'PGRST301',
        ],
        ['that has expired', () => bearer({ role: 'reader', exp: 1 }), 'PGRST303'],
        ['that is invalid', () => ({ authorization: 'Bearer x' }), 'PGRST301'],
        ['of an unknown role', () => bearer({ role: 'nobody_knows' }), '22023'],
        ['of the role none', () => bearer({ role: 'none' }), '22023'],
        ['of a role in another case', () => bearer({ role: 'Reader' }), '22023'],
        [
          'of a role that shares its first 63 bytes with another',
          () => bearer({ role: `${'r'.repeat(63)}x` }),
          '22023',
        ],
      ])('is rejected with a token %s', async (_, make, code) => {
        const harness = await (await scene()).build({ jwtKey });
        const reply = await harness.ask('/secrets', { headers: await make() });
        expect(reply).toMatchObject({ status: 401, body: { code } });
        expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
      });

      it.each([
        ['root', 'Tokens cannot use a superuser.'],
        ['replicator', 'Tokens cannot use a role with REPLICATION.'],
        ['pg_read_all_data', 'Tokens cannot use a predefined PostgreSQL role.'],
      ])('can be the privileged role %s only where that is configured', async (role, details) => {
        const { build } = await scene();
        const headers = await bearer({ role });
        const refused = await (await build({ jwtKey })).ask('/rpc/session', { headers });
        expect(refused).toMatchObject({
          status: 403,
          body: {
            code: '42501',
            message: `permission denied to set role "${role}"`,
            details,
            hint: expect.stringContaining('gateway.privilegedRoles') as unknown,
          },
        });
        const harness = await build({ jwtKey, privilegedRoles: [role] });
        expect(await harness.ask('/rpc/session', { headers })).toMatchObject({ status: 200, body: { role } });
      });

      it('can be the anonymous role, and a role newer than the catalog', async () => {
        const { build, under } = await scene();
        const harness = await build({ jwtKey, anonymousRole: 'root' });
        const ofRoot = await harness.ask('/rpc/session', { headers: await bearer({ role: 'root' }) });
        expect(ofRoot).toMatchObject({ status: 200, body: { role: 'root' } });
        await under.database.runScript('DROP ROLE IF EXISTS newcomer; CREATE ROLE newcomer');
        const ofNewcomer = await harness.ask('/rpc/session', { headers: await bearer({ role: 'newcomer' }) });
        expect(ofNewcomer).toMatchObject({ status: 200, body: { role: 'newcomer' } });
      });

      it('is the anonymous role without a token, if there is one', async () => {
        const { build, script } = await scene();
        await script('GRANT SELECT (word) ON sentinel TO anybody');
        const harness = await build({ jwtKey, anonymousRole: 'anybody' });
        expect((await harness.ask('/rpc/session')).body).toMatchObject({
          role: 'anybody',
          claims: { role: 'anybody' },
        });
        expect(await harness.ask('/secrets')).toMatchObject({ status: 401, body: { code: '42501' } });
      });

      it('is none where others reach the server, too', async () => {
        const { build } = await scene();
        const harness = await build({}, { publicUrl: 'https://flows.example' });
        expect(await harness.ask('/secrets')).toMatchObject({
          status: 401,
          body: { code: 'PGRST302', hint: expect.stringMatching(/^Set gateway\.jwtKey/) as unknown },
        });
      });

      it('cannot come from a token without a key', async () => {
        const { harness } = await scene();
        expect(await harness.ask('/secrets', { headers: await bearer({ role: 'reader' }) })).toMatchObject({
          status: 500,
          body: { code: 'PGRST300' },
        });
      });

      it('can be rejected by a pre-request function', async () => {
        const harness = await (await scene()).build({ preRequest: 'public.check_agent' });
        expect((await harness.ask('/sentinel', { headers: { 'x-agent': 'good' } })).status).toBe(200);
        expect(await harness.ask('/sentinel', { headers: { 'x-agent': 'bad' } })).toMatchObject({
          status: 401,
          body: { code: '42501', message: 'not this one' },
        });
      });
    });

    describe('SQL', () => {
      const call = async (headers: string, status: string) => {
        const { harness } = await scene();
        return harness.ask('/rpc/answer', { method: 'POST', body: { headers, status } });
      };

      it('sets headers and the status', async () => {
        const reply = await call('[{"X-Cat":"a"},{"Cache-Control":"max-age=5"},{"x-cat":"b"}]', '202');
        expect([reply.status, reply.text]).toEqual([202, '1']);
        expect(reply.headers.get('x-cat')).toBe('a, b');
        expect(reply.headers.get('cache-control')).toBe('max-age=5');
      });

      it.each([
        ['{}', '', 'PGRST111'],
        ['[{"a":1}]', '', 'PGRST111'],
        ['[{"Content-Length":"1"}]', '', 'PGRST111'],
        ['[{"X-A":"b\\r\\nX-C: d"}]', '', 'PGRST111'],
        ['', '99', 'PGRST112'],
        ['', 'teapot', 'PGRST112'],
      ])('cannot set %j and %j, and then rolls back', async (headers, status, code) => {
        const { under } = await scene();
        await under.database.runScript(`DELETE FROM sentinel WHERE word = 'answered'`);
        expect(await call(headers, status)).toMatchObject({ status: 500, body: { code } });
        const [left] = await under.database.runScript(
          `SELECT count(*) FROM sentinel WHERE word = 'answered'`,
        );
        expect(left!.rows).toEqual([['0']]);
      });

      it('raises its own errors', async () => {
        const { harness } = await scene();
        const reply = await harness.ask('/rpc/refuse', { method: 'POST', body: {} });
        expect([reply.status, reply.body, reply.headers.get('x-pot')]).toEqual([
          418,
          { code: 'CAT', message: 'no cats', details: 'none', hint: 'dogs' },
          'tea',
        ]);
        const teapot = await harness.ask('/rpc/teapot', { method: 'POST', body: {} });
        expect(teapot).toMatchObject({ status: 418, body: { code: 'PT418', message: 'short and stout' } });
      });
    });

    describe('request data', () => {
      it.each([
        `/sentinel?word=eq.'; DROP TABLE sentinel; --`,
        `/sentinel?select=word::text;DROP TABLE sentinel`,
        `/sentinel?select="word";DROP TABLE sentinel;--"`,
        `/sentinel?"word""; DROP TABLE sentinel; --"=eq.1`,
        `/sentinel?order=word;DELETE FROM sentinel`,
        `/sentinel?limit=1;DELETE FROM sentinel`,
        `/sentinel?word=fts(english');DROP TABLE sentinel;--).x`,
        `/sentinel?word=in.("a","');DROP TABLE sentinel;--")`,
        `/sentinel?select=word->>'a';DROP TABLE sentinel`,
        `/sentinel"; DROP TABLE sentinel; --`,
        `/rpc/session"();DROP TABLE sentinel;--`,
        `/rpc/answer?headers=');DROP TABLE sentinel;--`,
      ])('is never part of the SQL: %s', async (path) => {
        const { harness, under } = await scene();
        const { status } = await harness.ask(encodeURI(path).replaceAll('#', '%23'));
        expect(status).toBeLessThan(500);
        const [left] = await under.database.runScript(`SELECT word FROM sentinel WHERE word = 'untouched'`);
        expect(left!.rows).toEqual([['untouched']]);
      });

      it('names any role or schema, without either becoming part of the SQL', async () => {
        const harness = await (await scene()).build({ jwtKey });
        const headers = await bearer({ role: `reader'; DROP TABLE sentinel; --` });
        expect((await harness.ask('/secrets', { headers })).status).toBe(401);
        expect(
          (await harness.ask('/secrets', { headers: { ...headers, 'accept-profile': `a"; DROP` } })).status,
        ).toBe(406);
      });
    });

    describe('endless statements', () => {
      it.each([
        ['/rpc/spin', { anonymousRole: 'hasty' }],
        ['/rpc/deep?n=1', {}],
      ])('%s is cancelled, and the next request is served', async (path, settings) => {
        const harness = await (await scene()).build(settings);
        const before = await harness.ask('/sentinel');
        const reply = await harness.ask(path);
        expect(reply.status).toBe(500);
        expect(['57014', '54001']).toContain((reply.body as { code: string }).code);
        expect(await harness.ask('/sentinel')).toMatchObject({ status: 200, body: before.body });
      });
    });

    describe('schema cache', () => {
      it('is reloaded on request', async () => {
        const { harness, under } = await scene();
        expect((await harness.ask('/later_a')).status).toBe(404);
        await under.database.runScript('CREATE TABLE later_a (id int PRIMARY KEY)');
        await harness.open.catalogs.reload();
        expect((await harness.ask('/later_a')).status).toBe(200);
      });

      it.each([
        ['pgrst', `NOTIFY pgrst, 'reload schema'`],
        ['stepwright', 'NOTIFY stepwright'],
      ])('is reloaded on a notification on %s', async (channel, notice) => {
        const { harness, under } = await scene();
        expect((await harness.ask(`/later_${channel}`)).status).toBe(404);
        await under.database.runScript(`CREATE TABLE later_${channel} (id int PRIMARY KEY); ${notice};`);
        await waitUntilPasses(
          async () => expect((await harness.ask(`/later_${channel}`)).status).toBe(200),
          50,
        );
      });
    });
  },
  // This includes loading the catalog: two seconds were too few on a busy machine.
  { statementTimeoutMs: 4000 },
);
