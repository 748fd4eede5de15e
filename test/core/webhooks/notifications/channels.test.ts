import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import { startMailServer } from '../../../harness/servers/mail-server.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';
import { WebhookTarget } from '../webhook-harness.ts';
import { NotificationHarness } from './notification-harness.ts';

type NewChannel = OperationInput<'channels.create'>;

/** Sends the failure of a run to a channel, and returns the request that the service received. */
async function deliver(create: (service: string) => Omit<NewChannel, 'name'>) {
  const harness = await NotificationHarness.open();
  const { engine, service } = harness;
  await engine.call('channels.create', { name: 'ops', allowPrivate: true, ...create(service.url) });
  await harness.createRule({ channels: ['ops'] });
  await harness.run('etl', 'fails');
  await harness.untilQuiet();
  const [request] = service.received;
  return {
    path: request?.path,
    headers: request?.headers ?? {},
    body: JSON.parse(request?.body ?? 'null') as Record<string, unknown>,
  };
}

describe('a service gets its documented request', () => {
  it('slack: text and blocks', async () => {
    const {
      path: address,
      body,
      headers,
    } = await deliver((service) => ({
      kind: 'slack',
      url: `${service}/services/T0/B0/XXXX`,
    }));
    expect(address).toBe('/services/T0/B0/XXXX');
    expect(headers['content-type']).toBe('application/json');
    expect(body).toEqual({
      text: 'etl failed',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'etl failed' } },
        { type: 'section', text: { type: 'mrkdwn', text: 'step "load" failed: exit code 3' } },
        {
          type: 'context',
          elements: [
            {
              type: 'mrkdwn',
              text: expect.stringMatching(/^\*Workflow:\* etl {2}\*Run:\* \S+ {2}\*Rule:\* failures$/),
            },
          ],
        },
      ],
    });
  });

  it('teams: a message with an adaptive card', async () => {
    const { body } = await deliver((service) => ({ kind: 'teams', url: `${service}/workflows/1` }));
    expect(body).toEqual({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              expect.objectContaining({ type: 'TextBlock', text: 'etl failed', wrap: true }),
              { type: 'TextBlock', text: 'step "load" failed: exit code 3', wrap: true },
              expect.objectContaining({ type: 'FactSet' }),
            ],
          },
        },
      ],
    });
  });

  it('discord: an embed without mentions', async () => {
    const { body } = await deliver((service) => ({
      kind: 'discord',
      url: `${service}/api/webhooks/1/TOKEN`,
    }));
    expect(body).toMatchObject({
      username: 'Stepwright',
      embeds: [
        {
          title: 'etl failed',
          description: 'step "load" failed: exit code 3',
          color: 0xd1_24_2f,
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          fields: [
            { name: 'Workflow', value: 'etl', inline: true },
            { name: 'Run', inline: true },
            { name: 'Rule', value: 'failures', inline: true },
          ],
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });

  it('telegram: sendMessage with HTML', async () => {
    const { path: address, body } = await deliver((service) => ({
      kind: 'telegram',
      server: service,
      token: '123:SECRET',
      chatId: '-100',
    }));
    expect(address).toBe('/bot123:SECRET/sendMessage');
    expect(body).toEqual({
      chat_id: '-100',
      text: '<b>etl failed</b>\nstep &quot;load&quot; failed: exit code 3',
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    });
  });

  it('ntfy: JSON with topic and priority', async () => {
    const {
      path: address,
      body,
      headers,
    } = await deliver((service) => ({
      kind: 'ntfy',
      server: service,
      topic: 'our-alerts',
      token: 'tk_1',
    }));
    expect(address).toBe('/');
    expect(headers.authorization).toBe('Bearer tk_1');
    expect(body).toEqual({
      topic: 'our-alerts',
      title: 'etl failed',
      message: 'step "load" failed: exit code 3',
      priority: 4,
      tags: ['rotating_light'],
    });
  });

  it('gotify: a message with the application token', async () => {
    const {
      path: address,
      body,
      headers,
    } = await deliver((service) => ({
      kind: 'gotify',
      server: `${service}/`,
      token: 'A1',
    }));
    expect(address).toBe('/message');
    expect(headers['x-gotify-key']).toBe('A1');
    expect(body).toEqual({ title: 'etl failed', message: 'step "load" failed: exit code 3', priority: 8 });
  });

  it('url: the template with its values in place', async () => {
    const { body, headers } = await deliver((service) => ({
      kind: 'url',
      url: `${service}/in`,
      authorization: 'Basic abc',
      template: '{"summary":"${title}: ${text}","count":"${failures}","list":[{"flow":"${workflow}"}]}',
    }));
    expect(headers.authorization).toBe('Basic abc');
    expect(body).toEqual({
      summary: 'etl failed: step "load" failed: exit code 3',
      count: 1,
      list: [{ flow: 'etl' }],
    });
  });

  it('mail: an email through the mail server of the base configuration', async () => {
    const server = await startMailServer();
    const harness = await NotificationHarness.open();
    const { engine } = harness;
    writeFileSync(
      path.join(engine.home, 'base.yaml'),
      `smtp: { host: 127.0.0.1, port: ${server.port} }\nerrorMail: { from: etl@example.com }\n`,
    );
    const to = ['ops@example.com', 'dev@example.com'];
    await engine.call('channels.create', { name: 'ops', kind: 'mail', to });
    await harness.createRule({ channels: ['ops'] });
    await harness.run('etl', 'fails');
    await harness.untilQuiet();
    expect(server.mails).toMatchObject([{ from: 'etl@example.com', to }]);
    expect(server.mails[0]!.raw).toContain('Subject: [Stepwright] etl failed');
    expect(server.mails[0]!.raw).toContain('step "load" failed: exit code 3');
    const [{ state, lastAttempt }] = (await harness.list()) as [Awaited<ReturnType<typeof harness.list>>[0]];
    expect({ state, code: lastAttempt?.statusCode }).toEqual({ state: 'delivered', code: 250 });
  });
});

describe('a test', () => {
  it('returns the response of the service word for word', async () => {
    const harness = await NotificationHarness.open((response) =>
      response.writeHead(403, { 'content-type': 'text/plain' }).end('invalid_token'),
    );
    const { id } = await harness.createChannel();
    const result = await harness.engine.call('channels.test', { channelId: id });
    expect(result).toMatchObject({
      delivered: false,
      status: 'invalid HTTP response: 403 Forbidden',
      statusCode: 403,
      body: 'invalid_token',
    });
    expect(result.durationMs).toBeGreaterThanOrEqual(0);
    expect(harness.texts).toEqual(['Test notification from Stepwright']);
  });

  it('returns the reply of the mail server, or why there is none', async () => {
    const engine = new TestEngine();
    const mail = (name: string, from?: string) =>
      engine.call('channels.create', { name, kind: 'mail', to: ['a@example.com'], ...(from && { from }) });
    const first = await mail('first');
    expect(await engine.call('channels.test', { channelId: first.id })).toMatchObject({
      delivered: false,
      status: 'There is no mail server. Set it in Settings › Installation, or as "smtp" in base.yaml.',
    });
    const server = await startMailServer({ login: { user: 'robot', password: 'secret' } });
    writeFileSync(path.join(engine.home, 'base.yaml'), `smtp: { host: 127.0.0.1, port: ${server.port} }\n`);
    const second = await mail('second', 'Ops <ops@example.com>');
    expect((await engine.call('channels.test', { channelId: second.id })).status).toContain(
      'rejected the sender: 530',
    );
  });
});

describe('secrets of a channel', () => {
  it('are never returned, logged or shown', async () => {
    const seen: string[] = [];
    const harness = await NotificationHarness.open((response, { path: address }) =>
      response.writeHead(404).end(`no bot at ${address}`),
    );
    const { engine, service } = harness;
    const token = '123456:VERY-SECRET';
    const settings = { kind: 'telegram', server: service.url, token, chatId: '7' } as const;
    const channel = await engine.call('channels.create', { name: 'bot', allowPrivate: true, ...settings });
    await harness.createRule({ channels: ['bot'] });
    seen.push(JSON.stringify(await engine.call('channels.test', { channelId: channel.id })));
    await harness.run('etl', 'fails');
    await harness.untilQuiet();
    seen.push(
      JSON.stringify(channel),
      JSON.stringify(await engine.call('channels.list', {})),
      JSON.stringify(await harness.list()),
      JSON.stringify(await engine.call('audit.list', {})),
      engine.reports.join('\n'),
    );
    expect(service.received[0]!.path).toContain(token);
    expect(seen.join('\n')).not.toContain('VERY-SECRET');
    expect(seen[0]).toContain('no bot at /bot********/sendMessage');
    // Only the hook itself has them.
    await expect(engine.call('webhooks.get', { hookId: channel.id })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await engine.call('webhooks.list', {})).toEqual({ hooks: [] });
  });

  it('stay when other fields change', async () => {
    const harness = await NotificationHarness.open();
    const { id } = await harness.createChannel();
    await harness.createRule();
    const changed = await harness.engine.call('channels.update', { channelId: id, name: 'renamed' });
    expect(changed).toMatchObject({ name: 'renamed', rules: ['failures'] });
    await harness.run('etl', 'fails');
    await harness.untilQuiet();
    expect(harness.service.received[0]!.path).toBe('/services/T0/B0/XXXX');
  });
});

describe('a stored secret of a channel', () => {
  beforeEach(() => void vi.stubEnv('ENGINE_SECRETS_KEY', '0123456789abcdef'.repeat(3)));

  it('is read when sending, masked in responses, and listed with the channel', async () => {
    const harness = await NotificationHarness.open((response, { path: address }) =>
      response.writeHead(404).end(`no hook at ${address}`),
    );
    const { engine, service } = harness;
    await engine.call('secrets.set', { name: 'slack-url', value: `${service.url}/services/FIRST\n` });
    const channel = await engine.call('channels.create', {
      ...{ name: 'ops-slack', kind: 'slack', allowPrivate: true },
      secrets: { url: 'slack-url' },
    });
    expect(channel).toMatchObject({ address: 'secret slack-url', secrets: { url: 'slack-url' } });
    expect(await engine.call('channels.test', { channelId: channel.id })).toMatchObject({
      body: 'no hook at ********',
    });
    await engine.call('secrets.set', { name: 'slack-url', value: `${service.url}/services/SECOND` });
    await harness.createRule();
    await harness.run('etl', 'fails');
    await harness.untilQuiet();
    expect(service.received.map((request) => request.path)).toEqual(['/services/FIRST', '/services/SECOND']);
    const { secrets } = await engine.call('secrets.list', {});
    expect(secrets).toMatchObject([
      {
        name: 'slack-url',
        usedBy: [],
        channels: ['ops-slack'],
        lastUsedBy: 'channel ops-slack',
      },
    ]);
    expect(JSON.stringify([secrets, await harness.list(), engine.reports])).not.toContain('SECOND');
  });

  it('is named by a test and by the delivery if it is missing, and is delivered once it is added', async () => {
    const harness = await NotificationHarness.open();
    const { engine, service } = harness;
    await engine.call('secrets.set', { name: 'slack-url', value: service.url });
    const { id } = await engine.call('channels.create', {
      ...{ name: 'ops-slack', kind: 'slack', allowPrivate: true },
      secrets: { url: 'slack-url' },
    });
    await harness.createRule();
    await engine.call('secrets.delete', { name: 'slack-url' });
    const status =
      'Secret "slack-url" not found. Add it under Secrets, or with "engine secrets set slack-url".';
    expect(await engine.call('channels.test', { channelId: id })).toMatchObject({ delivered: false, status });
    await harness.run('etl', 'fails');
    await harness.untilQuiet();
    expect(await harness.list()).toMatchObject([{ state: 'waiting', lastAttempt: { status } }]);
    expect((await engine.call('secrets.list', {})).secrets).toEqual([
      expect.objectContaining({ name: 'slack-url', channels: ['ops-slack'] }),
    ]);
    await engine.call('channels.update', { channelId: id, name: 'renamed' });
    await engine.call('secrets.set', { name: 'slack-url', value: 'https://user:pw@example.com' });
    expect((await engine.call('channels.test', { channelId: id })).status).toBe(
      'Secret "slack-url": must not contain credentials',
    );
    await engine.call('secrets.set', { name: 'slack-url', value: service.url });
    await harness.pass(60_000);
    expect(await harness.list()).toMatchObject([{ state: 'delivered' }]);
  });

  it('replaces an entered value, and the reverse', async () => {
    const harness = await NotificationHarness.open();
    const { engine, service } = harness;
    const { id: channelId } = await harness.createChannel();
    await engine.call('secrets.set', { name: 'slack-url', value: `${service.url}/stored` });
    const named = await engine.call('channels.update', { channelId, secrets: { url: 'slack-url' } });
    expect(named.secrets).toEqual({ url: 'slack-url' });
    await engine.call('channels.test', { channelId });
    const entered = await engine.call('channels.update', { channelId, url: `${service.url}/entered` });
    expect(entered).not.toHaveProperty('secrets');
    await engine.call('channels.test', { channelId });
    expect(service.received.map((request) => request.path)).toEqual(['/stored', '/entered']);
    await expect(engine.call('channels.update', { channelId, secrets: { url: 'slak-url' } })).rejects.toThrow(
      'secrets.url: there is no stored secret "slak-url". Did you mean "slack-url"?',
    );
    await expect(
      engine.call('channels.update', { channelId, url: service.url, secrets: { url: 'slack-url' } }),
    ).rejects.toThrow('secrets.url: cannot be combined with "url"');
  });
});

describe('invalid settings', () => {
  it.each([
    [{ kind: 'slack' }, 'url: is required for slack channels'],
    [
      { kind: 'slack', url: 'https://hooks.slack.com/x', chatId: '1' },
      'chatId: does not apply to slack channels, which have "url"',
    ],
    [
      { kind: 'slack', url: 'xoxb-123' },
      'url: must be an http or https URL, such as https://example.com/hook',
    ],
    [
      { kind: 'url', url: 'http://127.0.0.1/x' },
      'url: 127.0.0.1 is a loopback or private network address. Allow private addresses for this channel if intended.',
    ],
    [{ kind: 'mail', to: ['ops'] }, 'to: "ops" is not an email address, such as ops@example.com'],
    [{ kind: 'url', url: 'https://example.com', template: '{"a":' }, /^template: is not valid JSON: /],
    [
      { kind: 'url', url: 'https://example.com', template: '{"a":"${tilte}"}' },
      'template: unknown field "${tilte}". Did you mean "${title}"?',
    ],
  ] as const)('%j is rejected', async (settings, message) => {
    const { host } = new TestEngine();
    await expect(
      host.api.call('channels.create', { name: 'ops', ...settings } as unknown as NewChannel, testCaller),
    ).rejects.toThrow(message);
  });

  it('names the nearest channel of a rule, and rules that use a channel', async () => {
    const engine = new TestEngine();
    const target = await WebhookTarget.open();
    const { id } = await engine.call('channels.create', {
      name: 'ops-slack',
      kind: 'slack',
      url: target.url,
      allowPrivate: true,
    });
    const rule = { name: 'a', channels: ['ops-slak'] };
    await expect(engine.call('rules.create', rule)).rejects.toThrow(
      'channels: Unknown channel "ops-slak". Did you mean "ops-slack"?',
    );
    await expect(
      engine.call('rules.create', { ...rule, channels: ['ops-slack'], quiet: '22-7' }),
    ).rejects.toThrow('quiet: must be two different times');
    await engine.call('rules.create', { ...rule, channels: ['ops-slack'] });
    await expect(engine.call('channels.delete', { channelId: id })).rejects.toThrow(
      'Channel "ops-slack" is used by rule "a". Change or delete the rule first.',
    );
  });

  it('warns about unknown channels in a workflow at their position', async () => {
    const { engine } = await NotificationHarness.open().then(async (harness) => {
      await harness.createChannel();
      return harness;
    });
    const { diagnostics, valid } = await engine.call('dags.validate', {
      spec: 'notify:\n  failed: [ops-slack, ops-slak]\nsteps: [echo]\n',
    });
    expect(valid).toBe(true);
    expect(diagnostics).toMatchObject([
      {
        severity: 'warning',
        line: 2,
        column: 23,
        message: 'Unknown channel "ops-slak". Did you mean "ops-slack"?',
      },
    ]);
  });
});
