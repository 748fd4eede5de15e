import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import {
  type OperationName,
  type StreamName,
  operations,
  streams,
} from '../../../core/contract/operations.ts';
import { type Role, includesRole, roles } from '../../../core/contract/operation.ts';
import { getPrefix } from '../../../core/contract/transport.ts';
import { type ServedApi, serve } from '../../harness/server.ts';
import { makeAuth } from '../api/auth/auth-harness.ts';

type Permission = Role | 'public';

/** Roles to read (GET and streams), to act (POST), and to create or change (PUT, PATCH, DELETE). */
interface Policy {
  readonly read: Permission;
  readonly act: Permission;
  readonly change: Permission;
}

const sameForAll = (permission: Permission): Policy => ({
  read: permission,
  act: permission,
  change: permission,
});

/**
 * Expected permissions, written down independently of the table of operations: of topics, which apply to new operations,
 * too, and of single operations. Dagu's Role column: R is `viewer`, X `operator`, W `manager`, A `admin`, P `public`.
 */
const usualPolicy: Policy = { read: 'viewer', act: 'operator', change: 'manager' };

const topicPolicies: Readonly<Record<string, Policy>> = {
  audit: sameForAll('admin'),
  users: sameForAll('admin'),
  services: { ...usualPolicy, act: 'admin' },
  system: { ...usualPolicy, act: 'admin' },
  workers: { ...usualPolicy, act: 'manager' },
  // Configuration files, which may contain secrets.
  config: sameForAll('manager'),
  secrets: sameForAll('manager'),
  // A draft is useful to those who can save it.
  drafts: sameForAll('manager'),
  // Table names are more sensitive than workflow names. A request may write whatever the role of the gateway may.
  gateway: { read: 'operator', act: 'manager', change: 'manager' },
  // Webhook URLs may contain credentials.
  webhooks: { ...usualPolicy, read: 'operator' },
  channels: { ...usualPolicy, read: 'operator' },
  rules: { ...usualPolicy, read: 'operator' },
  notifications: { ...usualPolicy, read: 'operator' },
  // Their own; those of others need an admin.
  tokens: sameForAll('viewer'),
  quotes: sameForAll('public'),
};

const exceptions: Readonly<Partial<Record<OperationName | StreamName, Permission>>> = {
  'auth.info': 'public',
  'auth.login': 'public',
  'auth.logout': 'viewer',
  'auth.changePassword': 'viewer',
  'dags.validate': 'viewer',
  'dags.importCrontab': 'manager',
  'dags.rename': 'manager',
  'dags.duplicate': 'manager',
  'dags.move': 'manager',
  'dags.restore': 'manager',
  'runs.setNote': 'operator',
  'runs.setStepStatus': 'operator',
  'runs.setSubRunStepStatus': 'operator',
  'workers.listTokens': 'admin',
  'workers.createToken': 'admin',
  'workers.deleteToken': 'admin',
  'webhooks.catalog': 'viewer',
  'webhooks.example': 'viewer',
  'webhooks.rotateSecret': 'manager',
  'notifications.coverage': 'viewer',
  'receivers.rotate': 'manager',
  // Payloads may be confidential.
  'receivers.delivery': 'operator',
  // Any client with the URL can ping.
  'pings.get': 'operator',
  'gateway.status': 'viewer',
  'gateway.reload': 'operator',
};

/** Checked properties of operations and streams. */
interface Entry {
  readonly path: string;
  readonly role: Role;
  readonly method?: string;
  readonly version?: 1;
  readonly public?: true;
}

const entries: Readonly<Record<OperationName | StreamName, Entry>> = { ...operations, ...streams };
const names = Object.keys(entries) as (OperationName | StreamName)[];

const getExpectedPermission = (name: OperationName | StreamName): Permission =>
  exceptions[name] ?? getPermissionOfTopic(name);

function getPermissionOfTopic(name: OperationName | StreamName): Permission {
  const [topic = '', verb] = name.split('.');
  const { read, act, change } = topicPolicies[topic] ?? usualPolicy;
  const { method = 'GET' } = entries[name];
  if (method === 'GET') return read;
  return method === 'POST' && verb !== 'create' ? act : change;
}

/** Credentials of a request in the matrix: headers, and the role that they prove; none for invalid credentials. */
interface Sender {
  readonly headers: Record<string, string>;
  readonly role: Role | undefined;
}

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
  served.api.streamError = { code: 'not_found', message: 'The stream was allowed.' };
});

afterAll(async () => {
  await served.server.close();
  rmSync(home, { recursive: true, force: true });
});

async function ask(name: OperationName | StreamName, { headers }: Sender) {
  const entry = entries[name];
  const method = 'method' in entry ? entry.method : 'GET';
  const path = getPrefix(entry) + entry.path.replaceAll(/\{\w+\}/g, '1');
  const reply = await served.fetch(path, { method, headers });
  const body = (await reply.json()) as { code?: string; message?: string; details?: Record<string, unknown> };
  const { code, message, details } = body;
  return { status: reply.status, code, message, details, challenge: reply.headers.get('www-authenticate') };
}

test('every operation and stream has the role of the policy', () => {
  const actual = names.map((name) => [name, entries[name].public === true ? 'public' : entries[name].role]);
  expect(actual).toEqual(names.map((name) => [name, getExpectedPermission(name)]));
});

test('every exception differs from its topic, and every topic exists', () => {
  const needless = names.filter((name) => exceptions[name] === getPermissionOfTopic(name));
  const topics = new Set(names.map((name) => name.split('.')[0]));
  expect([needless, Object.keys(topicPolicies).filter((topic) => !topics.has(topic))]).toEqual([[], []]);
});

describe.each(names)('%s', (name) => {
  const needed = getExpectedPermission(name);
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
