import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { includesRole, roles, type Role } from '../../../core/contract/operation.ts';
import { operations, streams } from '../../../core/contract/operations.ts';
import { prefixOf } from '../../../core/contract/transport.ts';
import { makeAuth } from '../api/auth/auth-rig.ts';
import { type ServedApi, serve } from './api-harness.ts';
import { permissionTable } from './permission-table.ts';

/** Credentials of a request in the matrix: headers, and the role that they prove; none for invalid credentials. */
interface Sender {
  readonly headers: Record<string, string>;
  readonly role: Role | undefined;
}

const names = Object.keys(permissionTable) as (keyof typeof permissionTable)[];
/** Checked properties of operations and streams. */
interface Entry {
  readonly path: string;
  readonly role: Role;
  readonly method?: string;
  readonly version?: 1;
  readonly public?: true;
}

const entries: Readonly<Record<keyof typeof permissionTable, Entry>> = {
  ...operations,
  ...streams,
};
const senders = new Map<string, Sender>();
let served: ServedApi;
let home: string;

const basicOf = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'stepwright-'));
  const { auth } = makeAuth(
    { basic: { username: 'ops', password: 'configured' }, token: { value: 'static' } },
    home,
  );
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  senders.set('nothing', { headers: {}, role: undefined });
  senders.set('a made-up token', { headers: bearer('swt_nothing'), role: undefined });
  senders.set('no header at all', { headers: { authorization: 'Digest x' }, role: undefined });
  senders.set('the configured pair', {
    headers: { authorization: basicOf('ops', 'configured') },
    role: 'admin',
  });
  senders.set('the configured token', { headers: bearer('static'), role: 'admin' });
  const boss = await auth.users.create({ username: 'boss', password: 'correct horse', role: 'admin' });
  for (const role of roles) {
    const password = `password of ${role}`;
    const user = await auth.users.create({ username: role, password, role });
    const { token } = await auth.login(role, password);
    const cookie = { cookie: `stepwright_${auth.realm}=${token}`, 'sec-fetch-site': 'same-origin' };
    senders.set(`a session of ${role}`, { headers: bearer(token), role });
    senders.set(`a cookie of ${role}`, { headers: cookie, role });
    senders.set(`basic authentication of ${role}`, {
      headers: { authorization: basicOf(role, password) },
      role,
    });
    const tokens = {
      'a token of the machine': auth.tokens.create({ name: role, role }),
      'a token of an admin': auth.tokens.create({ name: role, role, owner: boss }),
      // It claims more than its owner has.
      'a token of': auth.tokens.create({ name: role, role: 'admin', owner: user }),
    };
    for (const [what, { secret }] of Object.entries(tokens))
      senders.set(`${what} for ${role}`, { headers: bearer(secret), role });
  }
  served = await serve({ auth });
  served.api.refusal = { code: 'not_found', message: 'The stream was allowed.' };
});

afterAll(async () => {
  await served.server.close();
  rmSync(home, { recursive: true, force: true });
});

async function ask(name: keyof typeof permissionTable, { headers }: Sender) {
  const entry = entries[name];
  const method = 'method' in entry ? entry.method : 'GET';
  const path = prefixOf(entry) + entry.path.replaceAll(/\{\w+\}/g, '1');
  const reply = await served.fetch(path, { method, headers });
  const body = (await reply.json()) as { code?: string; message?: string; details?: Record<string, unknown> };
  const { code, message, details } = body;
  return { status: reply.status, code, message, details, challenge: reply.headers.get('www-authenticate') };
}

describe('role table', () => {
  it('lists every operation and stream, with its role', () => {
    const actual = Object.entries(entries).map(([name, entry]) => [
      name,
      'public' in entry && entry.public === true ? 'public' : entry.role,
    ]);
    expect(Object.fromEntries(actual)).toEqual(permissionTable);
  });
});

describe.each(names)('%s', (name) => {
  const needed = permissionTable[name];
  const isOpen = needed === 'public' || name === 'system.health';

  it('allows these roles, and rejects others', async () => {
    for (const [what, sender] of senders) {
      const { status, code, message, details, challenge } = await ask(name, sender);
      const answer = { what, status, code };
      if (isOpen)
        expect({ what, isAnswered: [200, 400].includes(status) }).toEqual({ what, isAnswered: true });
      else if (sender.role === undefined)
        expect({ ...answer, challenge }).toEqual({
          what,
          status: 401,
          code: 'unauthorized',
          challenge: 'Bearer realm="stepwright"',
        });
      else if (includesRole(sender.role, needed))
        expect({ ...answer, isAllowed: [200, 201, 400, 404].includes(status) }).toEqual({
          ...answer,
          isAllowed: true,
        });
      else
        expect({ ...answer, details }).toEqual({
          what,
          status: 403,
          code: 'forbidden',
          details: { role: sender.role, requiredRole: needed },
        });
      // In words, without the name of the operation.
      if (status === 403) {
        const words = new RegExp(
          ` has the role ${sender.role}, which does not allow this: [a-z][a-zA-Z -]+\\. Ask an admin for the role ${needed}\\.`,
        );
        expect(message).toMatch(words);
      }
    }
  });
});
