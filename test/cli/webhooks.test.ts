import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WebhookTarget } from '../core/webhooks/webhook-harness.ts';
import { makeTestHome, runEngine } from '../harness/home-and-command.ts';

describe('engine webhooks', () => {
  it('creates a webhook, sends it an event without a server, and redelivers it', async () => {
    const place = makeTestHome();
    const receiver = await WebhookTarget.open();
    const url = `${receiver.url}/hook`;
    const made = await runEngine(place, [
      'webhooks',
      'create',
      url,
      '--allow-private',
      '--events',
      'push,star',
    ]);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toBe(`Created webhook 1: sends push, star to ${url}\nwebhook 1: OK\n`);
    writeFileSync(join(place.cwd, 'star.json'), '{"action": "created", "starred_at": null}');
    const told = await runEngine(place, ['webhooks', 'emit', 'star', '--payload', 'star.json']);
    expect(told.stdout).toBe('Sent star to 1 webhook\nwebhook 1: OK\n');
    expect(receiver.received.map(({ headers }) => headers['x-platform-event'])).toEqual(['ping', 'star']);
    const listed = await runEngine(place, ['webhooks', 'deliveries', '1', '--format', 'json']);
    const { deliveries } = JSON.parse(listed.stdout) as { deliveries: { id: number; status: string }[] };
    expect(deliveries.map(({ status }) => status)).toEqual(['OK', 'OK']);
    const shown = await runEngine(place, ['webhooks', 'deliveries', '1', String(deliveries[0]!.id)]);
    expect(shown.stdout).toMatch(/^Sent +\d{4}-.+ \(\d+ ms\)\nTo +http:.+\nStatus +OK \(204\)\n\nRequest:\n/);
    expect(shown.stdout).toMatch(/\nX-Platform-Event: star\n(.+\n)*\n\{"action":"created"/);
    expect(shown.stdout).toMatch(/\n\nResponse:\n/);
    const again = await runEngine(place, ['webhooks', 'redeliver', '1', String(deliveries[0]!.id)]);
    expect(again.stdout).toMatch(/^Redelivering /);
    expect(receiver.received).toHaveLength(3);
    expect((await runEngine(place, ['webhooks', 'list'])).stdout).toMatch(
      /repository local\/workflows .* on +OK/,
    );
    expect((await runEngine(place, ['webhooks', 'delete', '1'])).code).toBe(0);
    expect((await runEngine(place, ['webhooks', 'ping', '1'])).code).toBe(3);
  });

  it('shows only this attempt of a redelivery, and that a webhook was disabled', async () => {
    const place = makeTestHome();
    const gone = await WebhookTarget.open((response, { path }) =>
      response.writeHead(path === '/gone' ? 410 : 204).end(),
    );
    const make = (path: string) =>
      runEngine(place, ['webhooks', 'create', `${gone.url}${path}`, '--allow-private', '--events', 'star']);
    await make('/one');
    await make('/two');
    writeFileSync(join(place.cwd, 'star.json'), '{"action": "created", "starred_at": null}');
    await runEngine(place, ['webhooks', 'emit', 'star', '--payload', 'star.json']);
    const again = await runEngine(place, ['webhooks', 'redeliver', '2', '4']);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toMatch(/^Redelivering delivery 4 as \S+\.\nwebhook 2: OK\n$/);
    expect((await make('/gone')).stdout).toContain(
      'webhook 3: failed, webhook disabled: invalid HTTP response: 410 Gone',
    );
  });

  it('disables and enables a webhook, updates it, and rotates its secret', async () => {
    const place = makeTestHome();
    const receiver = await WebhookTarget.open();
    const run = async (...args: string[]) => (await runEngine(place, ['webhooks', ...args])).stdout;
    await run('create', `${receiver.url}/hook`, '--allow-private', '--events', 'push,star');
    expect(await run('update', '1', '--off')).toBe('Updated webhook 1 (inactive).\n');
    const off = await runEngine(place, ['webhooks', 'ping', '1']);
    expect(off).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('webhooks update 1 --on') as string,
    });
    const changed = await run(
      'update',
      '1',
      '--on',
      '--events',
      'fork',
      '--body',
      'form',
      '--github-headers',
      '--format',
      'json',
    );
    expect(JSON.parse(changed)).toMatchObject({
      active: true,
      events: ['fork'],
      format: 'form',
      options: { allowPrivate: true, githubHeaders: true },
    });
    const [secret] = (await run('rotate-secret', '1', '--overlap-hours', '1')).split('\n');
    await run('ping', '1');
    const { headers, body } = receiver.received.at(-1)!;
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(headers['x-github-event']).toBe('ping');
    expect(headers['x-hub-signature-256']).toBe(
      `sha256=${createHmac('sha256', secret!).update(body).digest('hex')}`,
    );
    const refused = await runEngine(place, ['webhooks', 'update', '1', '--no-allow-private']);
    expect(refused.stderr).toContain(
      'hint: Use --allow-private to allow loopback and private network addresses.',
    );
  });

  it('creates an app with its scopes, and abbreviates a long event list', async () => {
    const place = makeTestHome();
    const make = ['webhooks', 'create', 'http://127.0.0.1:9/hook', '--allow-private', '--kind', 'app'];
    const events = ['push', 'create', 'delete', 'release', 'fork', 'check_run'];
    await runEngine(place, [
      ...make,
      '--events',
      events.join(','),
      '--permissions',
      'Contents, Checks=write',
    ]);
    const listed = await runEngine(place, ['webhooks', 'list']);
    expect(listed.stdout).toContain(' push,create,delete,release and 2 more ');
    const shown = await runEngine(place, ['webhooks', 'list', '--format', 'json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      hooks: [{ options: { permissions: { Contents: 'read', Checks: 'write' } } }],
    });
  });

  it.each([
    [
      ['create', 'http://127.0.0.1:9/hook'],
      'url: 127.0.0.1 is a loopback or private network address. Allow private addresses for this webhook if intended.',
    ],
    [
      ['create', 'http://localhost:9/hook'],
      'url: localhost is a loopback address. Allow private addresses for this webhook if intended.',
    ],
    [['create', 'https://example.com/hook', '--events', 'pushes'], 'Did you mean "push"?'],
    [['emit', 'pushed', '--payload', 'empty.json'], 'Unknown event "pushed"'],
    [
      ['emit', 'star', '--payload', 'empty.json'],
      'payload.action: Payloads of "star" require an action: created, deleted.',
    ],
    [['emit', 'star', '--payload', 'nowhere.json'], 'Cannot read the payload'],
    [
      ['emit', 'star', '--payload', '-'],
      'Invalid JSON in standard input: line 1, column 1: expected a value',
    ],
    [['emit', 'star', '--payload', 'list.json'], 'list.json: the payload must be a JSON object.'],
    [['update', '1', '--on', '--off'], "'--off' cannot be used with option '--on'"],
    [['create', 'https://example.com/hook', '--permissions', 'Contents=all'], 'Contents=read,Checks=write'],
    [
      ['create', 'https://example.com/hook', '--kind', 'app', '--permissions', 'pull_requests'],
      'Unknown permission "pull_requests". Did you mean "Pull requests"?',
    ],
  ])('rejects %j', async (args, message) => {
    const place = makeTestHome();
    writeFileSync(join(place.cwd, 'empty.json'), '{}');
    writeFileSync(join(place.cwd, 'list.json'), '[]');
    const { code, stderr } = await runEngine(place, ['webhooks', ...args]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string });
  });
});
