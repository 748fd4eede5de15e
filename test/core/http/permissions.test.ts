import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/**
 * Expected permissions, written down independently: a changed role or a new operation must be added here, too. Dagu's
 * Role column: R is `viewer`, X `operator`, W `manager`, A `admin`, P `public`.
 */
const permissionTable: Readonly<Record<OperationName | StreamName, Role | 'public'>> = {
  // Public.
  'quotes.random': 'public',
  'quotes.personalized': 'public',
  'quotes.list': 'public',
  'quotes.get': 'public',
  // Configuration files, which may contain secrets.
  'config.get': 'manager',
  'config.set': 'manager',
  'config.mail': 'manager',
  'config.setMail': 'manager',
  'config.testMail': 'manager',
  'config.base': 'manager',
  'config.setBase': 'manager',
  'secrets.list': 'manager',
  'secrets.set': 'manager',
  'secrets.delete': 'manager',
  'dags.list': 'viewer',
  'dags.get': 'viewer',
  'dags.start': 'operator',
  'dags.validate': 'viewer',
  'dags.importCrontab': 'manager',
  'dags.create': 'manager',
  'dags.spec': 'viewer',
  'dags.updateSpec': 'manager',
  'dags.rename': 'manager',
  'dags.references': 'viewer',
  'dags.duplicate': 'manager',
  'dags.move': 'manager',
  'dags.updateFields': 'manager',
  'dags.delete': 'manager',
  'dags.restore': 'manager',
  'dags.search': 'viewer',
  'dags.tags': 'viewer',
  // A draft is useful to those who can save it.
  'drafts.list': 'manager',
  'drafts.get': 'manager',
  'drafts.put': 'manager',
  'drafts.delete': 'manager',
  'drafts.getNew': 'manager',
  'drafts.putNew': 'manager',
  'drafts.deleteNew': 'manager',
  'layouts.get': 'viewer',
  'layouts.put': 'manager',
  'versions.list': 'viewer',
  'versions.get': 'viewer',
  'versions.deleted': 'viewer',
  'dags.changes': 'viewer',
  'system.changes': 'viewer',
  'dags.runs': 'viewer',
  'dags.run': 'viewer',
  'dags.stopAll': 'operator',
  'dags.suspend': 'operator',
  'dags.nextTimes': 'viewer',
  'dags.expectations': 'viewer',
  'runs.expectations': 'viewer',
  'schedules.missed': 'viewer',
  'pings.list': 'viewer',
  'pings.history': 'viewer',
  // Any client with the URL can ping.
  'pings.get': 'operator',
  'pings.create': 'manager',
  'pings.update': 'manager',
  'pings.delete': 'manager',
  'schedules.pause': 'operator',
  'schedules.resume': 'operator',
  'services.startScheduler': 'admin',
  'dags.enqueue': 'operator',
  // Commands in backticks may be run, as by a start.
  'dags.dry': 'operator',
  'runs.dry': 'operator',
  'approvals.list': 'viewer',
  'approvals.answer': 'operator',
  'runs.list': 'viewer',
  'runs.listOf': 'viewer',
  'runs.get': 'viewer',
  'runs.stop': 'operator',
  'runs.start': 'operator',
  'runs.delete': 'manager',
  'runs.deleteAll': 'manager',
  'runs.subRuns': 'viewer',
  'runs.subRun': 'viewer',
  'runs.setNote': 'operator',
  'runs.setStepStatus': 'operator',
  'runs.setSubRunStepStatus': 'operator',
  'runs.retryPlan': 'viewer',
  'runs.retry': 'operator',
  'runs.reschedule': 'operator',
  'runs.restart': 'operator',
  'runs.enqueue': 'operator',
  'runs.dequeue': 'operator',
  'runs.items': 'viewer',
  'runs.artifacts': 'viewer',
  'runs.artifactBytes': 'viewer',
  'runs.usage': 'viewer',
  'queues.list': 'viewer',
  'queues.items': 'viewer',
  'queues.dequeue': 'operator',
  'queues.clear': 'operator',
  'queues.move': 'operator',
  'queues.pause': 'operator',
  'queues.drain': 'operator',
  'queues.resume': 'operator',
  'queues.setLimit': 'manager',
  'logs.run': 'viewer',
  'logs.lines': 'viewer',
  'logs.bytes': 'viewer',
  'logs.times': 'viewer',
  'logs.subRun': 'viewer',
  'logs.subRunLines': 'viewer',
  'services.scheduler': 'viewer',
  'runs.calendar': 'viewer',
  'runs.count': 'viewer',
  'runs.statistics': 'viewer',
  'runs.failures': 'viewer',
  'runs.recent': 'viewer',
  'runs.durations': 'viewer',
  'runs.stepHistory': 'viewer',
  'schedules.calendar': 'viewer',
  'schedules.counts': 'viewer',
  'services.hosts': 'viewer',
  'services.resourceHistory': 'viewer',
  'workers.list': 'viewer',
  // Public as a service path, which the configuration may change.
  'system.health': 'viewer',
  'system.info': 'viewer',
  'system.storage': 'viewer',
  'system.check': 'admin',
  'auth.info': 'public',
  'auth.login': 'public',
  'auth.logout': 'viewer',
  'auth.me': 'viewer',
  'auth.changePassword': 'viewer',
  'users.list': 'admin',
  'users.create': 'admin',
  'users.get': 'admin',
  'users.update': 'admin',
  'users.delete': 'admin',
  'users.resetPassword': 'admin',
  // Their own; those of others need an admin.
  'workers.drain': 'manager',
  'workers.resume': 'manager',
  'workers.remove': 'manager',
  'workers.coordinators': 'viewer',
  'workers.listTokens': 'admin',
  'workers.createToken': 'admin',
  'workers.deleteToken': 'admin',
  'tokens.list': 'viewer',
  'tokens.create': 'viewer',
  'tokens.delete': 'viewer',
  'audit.list': 'admin',
  'webhooks.catalog': 'viewer',
  'webhooks.example': 'viewer',
  // Webhook URLs may contain credentials.
  'webhooks.list': 'operator',
  'webhooks.get': 'operator',
  'webhooks.create': 'manager',
  'webhooks.update': 'manager',
  'webhooks.delete': 'manager',
  'webhooks.rotateSecret': 'manager',
  'webhooks.ping': 'operator',
  'webhooks.test': 'operator',
  'webhooks.deliveries': 'operator',
  'webhooks.delivery': 'operator',
  'webhooks.redeliver': 'operator',
  'webhooks.replay': 'operator',
  'webhooks.messages': 'operator',
  'webhooks.retryMessage': 'operator',
  'webhooks.emit': 'operator',
  'channels.list': 'operator',
  'channels.create': 'manager',
  'channels.update': 'manager',
  'channels.delete': 'manager',
  'channels.test': 'operator',
  'rules.list': 'operator',
  'rules.create': 'manager',
  'rules.update': 'manager',
  'rules.delete': 'manager',
  'notifications.list': 'operator',
  'notifications.resend': 'operator',
  'notifications.coverage': 'viewer',
  'receivers.list': 'viewer',
  'receivers.create': 'manager',
  'receivers.get': 'viewer',
  'receivers.update': 'manager',
  'receivers.delete': 'manager',
  'receivers.rotate': 'manager',
  'receivers.deliveries': 'viewer',
  // Payloads may be confidential.
  'receivers.delivery': 'operator',
  'receivers.sendSample': 'operator',
  'receivers.replay': 'operator',
  'events.follow': 'viewer',
  'events.followDag': 'viewer',
  'events.followRun': 'viewer',
  'logs.follow': 'viewer',
  'logs.followText': 'viewer',
  'logs.search': 'viewer',
  'logs.followRun': 'viewer',
  'gateway.status': 'viewer',
  // Table names are more sensitive than workflow names.
  'gateway.catalog': 'operator',
  'gateway.reload': 'operator',
  // It may write whatever the gateway's own role may, as a workflow may.
  'gateway.request': 'manager',
  'gateway.rows': 'manager',
  'gateway.value': 'manager',
  'gateway.insertRow': 'manager',
  'gateway.updateRow': 'manager',
  'gateway.deleteRows': 'manager',
  'gateway.sql': 'manager',
  'gateway.createImport': 'manager',
  'gateway.addImportRows': 'manager',
  'gateway.finishImport': 'manager',
  'gateway.cancelImport': 'manager',
};

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
  served.api.streamError = { code: 'not_found', message: 'The stream was allowed.' };
});

afterAll(async () => {
  await served.server.close();
  rmSync(home, { recursive: true, force: true });
});

async function ask(name: keyof typeof permissionTable, { headers }: Sender) {
  const entry = entries[name];
  const method = 'method' in entry ? entry.method : 'GET';
  const path = getPrefix(entry) + entry.path.replaceAll(/\{\w+\}/g, '1');
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
