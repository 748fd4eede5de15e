import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeCertificate } from '../harness/servers/certificates.ts';
import { TestPostgres, missingForPostgres } from '../harness/servers/postgres.ts';
import { makeTestHome, runEngine, startEngine, waitForText } from '../harness/home-and-command.ts';
import { waitUntilPasses } from '../harness/resources.ts';

const tables = `
  create domain mark as int;
  create table marks (id mark primary key);
  insert into marks values (7);
`;
const casts = `
  create function mark_to_json(mark) returns json language sql as $$ select to_json('#' || $1::int) $$;
  create cast (mark as json) with function mark_to_json(mark) as implicit;
`;

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

/** Sends a request over HTTP, or over HTTPS of a server with this certificate. */
async function ask(url: string, method: string, ca: string): Promise<Answer> {
  if (url.startsWith('http:')) {
    const reply = await fetch(url, { method, redirect: 'manual' });
    return {
      status: reply.status,
      location: reply.headers.get('location') ?? undefined,
      text: await reply.text(),
    };
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, ca }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (part: string) => (text += part));
      reply.on('end', () => resolve({ status: reply.statusCode!, location: reply.headers.location, text }));
    });
    sent.on('error', reject).end();
  });
}

// A plain server does not announce schema changes: what is seen here was reloaded on request.
const missing = missingForPostgres(15);
describe.skipIf(missing !== undefined)(
  `a gateway over PostgreSQL 15${missing ? ` (missing: ${missing})` : ''}`,
  () => {
    it.each(['http', 'https'])(
      'sees changes after a reload, over %s',
      async (scheme) => {
        const database = await TestPostgres.start(15);
        onTestFinished(() => database.close());
        const testHome = makeTestHome();
        const { cert, key } = makeCertificate();
        const [certFile, keyFile] = [join(testHome.cwd, 'cert.pem'), join(testHome.cwd, 'key.pem')];
        writeFileSync(certFile, cert);
        writeFileSync(keyFile, key);
        const environment = {
          ENGINE_GATEWAY_DATABASE_URL: database.url,
          ...(scheme === 'https' && { ENGINE_CERT_FILE: certFile, ENGINE_KEY_FILE: keyFile }),
        };
        const engine = async (...args: string[]): Promise<void> =>
          expect(await runEngine(testHome, ['gateway', ...args], environment)).toMatchObject({ code: 0 });
        const server = startEngine(testHome, ['server', '--port', '0'], environment);
        await waitForText(server.stdout, /ready at \S+\n/);
        const url = /ready at (\S+)/.exec(server.stdout())![1]!;
        expect(url.startsWith(`${scheme}:`)).toBe(true);
        const get = (path: string): Promise<Answer> => ask(`${url}/gateway/${path}`, 'GET', cert);

        expect((await get('marks')).status).toBe(404);
        await engine('psql', '--command', tables);
        expect((await get('marks')).status).toBe(404);
        const reload = await ask(`${url}/api/v2/gateway/reload`, 'POST', cert);
        expect(reload.status).toBe(200);
        expect(JSON.parse(reload.text)).toMatchObject({ tables: [{ name: 'marks' }], domains: [] });
        expect((await get('marks')).text).toBe('[{"id":7}]');

        await engine('psql', '--command', casts);
        expect((await get('marks')).text).toBe('[{"id":7}]');
        await engine('reload');
        await waitUntilPasses(async () => expect((await get('marks')).text).toBe('[{"id":"#7"}]'), 50);

        await engine('reload', '--automatic');
        await engine('psql', '--command', 'create table later (id int primary key)');
        await waitUntilPasses(
          async () => expect(await get('later')).toMatchObject({ status: 200, text: '[]' }),
          50,
        );
        if (scheme === 'https') {
          const plain = await ask(`${url.replace('https:', 'http:')}/gateway/marks?id=eq.7`, 'GET', cert);
          expect(plain).toMatchObject({ status: 308, location: `${url}/gateway/marks?id=eq.7` });
        }
      },
      120_000,
    );

    it('says who may install change notifications', async () => {
      const database = await TestPostgres.start(15);
      onTestFinished(() => database.close());
      const testHome = makeTestHome();
      const engine = (url: string, ...args: string[]) =>
        runEngine(testHome, ['gateway', ...args], { ENGINE_GATEWAY_DATABASE_URL: url });
      await engine(
        database.url,
        'psql',
        '--command',
        'create role plain login; grant create on database postgres to plain',
      );
      const refused = await engine(database.url.replace('postgres@', 'plain@'), 'reload', '--automatic');
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain('permission denied to create event trigger');
      expect(refused.stderr).toContain('hint: Event triggers require a superuser');
    }, 60_000);
  },
);
