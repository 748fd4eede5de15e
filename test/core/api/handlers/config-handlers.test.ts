import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { TestEngine } from '../../../harness/engine.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';
import { startMailServer, reply, getHeader } from '../../../harness/servers/mail-server.ts';

function setUp(files: Readonly<Record<string, string>> = {}) {
  const engine = new TestEngine();
  const fileOf = (name: string): string => path.join(engine.home, name);
  for (const [name, text] of Object.entries(files)) writeFileSync(fileOf(name), text);
  const settingOf = async (key: string) =>
    (await engine.call('config.get', {})).settings.find((setting) => setting.key === key);
  return { engine, settingOf, read: (name: string) => readFileSync(fileOf(name), 'utf8') };
}

const configText = `# Our installation.
monitoring: # Load
  interval: 10

history:
  retention_days: 90 # asked by audit
`;

describe('settings', () => {
  test('are listed with their sources, without secrets', async () => {
    vi.stubEnv('ENGINE_TZ', 'Europe/Berlin');
    vi.stubEnv('AUTH_TOKEN', 'hush-hush');
    const { engine, settingOf } = setUp({ 'config.yaml': configText });
    expect(await settingOf('history.retentionDays')).toMatchObject({
      value: '90',
      defaultValue: '30',
      source: 'file',
      line: 6,
      editable: true,
    });
    expect(await settingOf('tz')).toMatchObject({
      value: 'Europe/Berlin',
      source: 'variable',
      name: 'ENGINE_TZ',
    });
    expect(await settingOf('monitor.retention')).toMatchObject({ value: '1d', source: 'default' });
    expect(await settingOf('auth.token.value')).toMatchObject({ value: '********', editable: false });
    expect(JSON.stringify(await engine.call('config.get', {}))).not.toContain('hush-hush');
  });

  test('are changed in the file, whose comments and other lines stay', async () => {
    const { engine, settingOf, read } = setUp({ 'config.yaml': configText });
    await engine.call('config.set', { key: 'history.retentionDays', value: '7' });
    await engine.call('config.set', { key: 'monitor.retention', value: '12h' });
    await engine.call('config.set', { key: 'tz', value: 'UTC' });
    expect(read('config.yaml')).toBe(
      configText.replace('90', '7').replace('interval: 10\n', 'interval: 10\n  retention: 12h\n') +
        '\ntz: UTC\n',
    );
    // Retention applies at once, the others after a restart.
    expect(await settingOf('history.retentionDays')).toMatchObject({ value: '7', restartPending: false });
    expect(await settingOf('tz')).toMatchObject({ value: 'UTC', restartPending: true });
    await engine.call('config.set', { key: 'tz', value: null });
    expect(await settingOf('tz')).toMatchObject({ value: '', source: 'default', restartPending: false });
  });

  test('create the file, and apply to later runs', async () => {
    const { engine, read } = setUp();
    const steps = 'steps: [{ name: say, command: echo }]\n';
    await engine.run(steps, { name: 'mine' });
    await engine.run(steps, { name: 'mine' });
    await engine.call('config.set', { key: 'history.retentionRuns', value: '1' });
    expect(read('config.yaml')).toBe('history:\n  retentionRuns: 1\n');
    await engine.run(steps, { name: 'mine' });
    await waitUntilPasses(async () =>
      expect((await engine.call('runs.listOf', { name: 'mine' })).dagRuns).toHaveLength(1),
    );
  });

  test('that a variable overrides cannot be changed', async () => {
    vi.stubEnv('ENGINE_HISTORY_RETENTION_DAYS', '5');
    const { engine } = setUp();
    await expect(engine.call('config.set', { key: 'history.retentionDays', value: '7' })).rejects.toThrow(
      '"history.retentionDays" is set by ENGINE_HISTORY_RETENTION_DAYS. Change it there.',
    );
  });

  test.each([
    ['tz', 'Mars', '"tz" must be a time zone such as Europe/Berlin or UTC.'],
    ['history.retentionDays', 'many', '"history.retentionDays" must be a whole number from -1 to 36500.'],
  ] as const)('are not saved if %s is %s', async (key, value, message) => {
    const { engine, read } = setUp({ 'config.yaml': configText });
    await expect(engine.call('config.set', { key, value })).rejects.toMatchObject({
      code: 'bad_request',
      message: `value: ${message}`,
      details: { field: 'value' },
    });
    expect(read('config.yaml')).toBe(configText);
  });

  test('are recorded in the audit log', async () => {
    const { engine } = setUp();
    await engine.call('config.set', { key: 'history.retentionDays', value: '7' });
    const { entries } = await engine.call('audit.list', {});
    expect(entries[0]).toMatchObject({ operation: 'config.set', target: 'history.retentionDays' });
  });
});

const mail = {
  host: 'smtp.example.com',
  port: '2525',
  username: 'robot',
  encryption: 'auto',
  verifyCertificate: true,
  from: 'flows@example.com',
} as const;

describe('mail server', () => {
  const base =
    '# Defaults\nenv:\n  - REGION: north # keep\nsmtp:\n  host: old # the old one\n  password: hidden\n';

  test('is changed in the base configuration, and its password is never returned', async () => {
    const { engine, read } = setUp({ 'base.yaml': base });
    const saved = await engine.call('config.setMail', mail);
    expect(saved).toMatchObject({ ...mail, hasPassword: true });
    expect(JSON.stringify(saved)).not.toContain('hidden');
    expect(read('base.yaml')).toBe(
      `${base.replace('host: old', 'host: smtp.example.com')}  port: 2525\n  username: robot\n` +
        'errorMail:\n  from: flows@example.com\ninfoMail:\n  from: flows@example.com\n',
    );
    await engine.call('config.setMail', { ...mail, password: '${SMTP_PASSWORD}', verifyCertificate: false });
    expect(await engine.call('config.mail', {})).toMatchObject({
      passwordExpression: '${SMTP_PASSWORD}',
      verifyCertificate: false,
    });
    await engine.call('config.setMail', { ...mail, host: '', from: '' });
    expect(await engine.call('config.mail', {})).toMatchObject({ host: '', hasPassword: false });
    expect(read('base.yaml')).toContain('REGION: north # keep');
  });

  test('names the invalid field, and leaves several servers to the editor', async () => {
    const { engine } = setUp();
    await expect(engine.call('config.setMail', { ...mail, port: 'many' })).rejects.toMatchObject({
      code: 'bad_request',
      details: { errors: [{ field: 'port' }] },
    });
    const two = setUp({ 'base.yaml': 'smtp: [{ host: a }, { host: b }]\n' });
    expect(await two.engine.call('config.mail', {})).toMatchObject({
      locked: expect.stringContaining('2 mail servers'),
    });
    await expect(two.engine.call('config.setMail', mail)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('sends a test email with the saved password and variables of the base configuration', async () => {
    const server = await startMailServer({ login: { user: 'robot', password: 'secret' } });
    const { engine } = setUp({
      'base.yaml': 'env: { PASS: secret }\nsmtp: { host: x, password: "${PASS}" }\n',
    });
    const local = { ...mail, host: '127.0.0.1', port: String(server.port), to: 'ops@example.com' };
    const sent = await engine.call('config.testMail', local);
    expect(sent).toEqual({
      sent: true,
      message: expect.stringContaining(`127.0.0.1:${server.port} accepted the email: 250`),
    });
    expect(server.mails).toMatchObject([
      { from: 'flows@example.com', to: ['ops@example.com'], user: 'robot' },
    ]);
    expect(getHeader(server.mails[0]!, 'Subject')).toBe('Test email from Stepwright');
    const wrong = await engine.call('config.testMail', { ...local, password: 'wrong' });
    expect(wrong).toEqual({
      sent: false,
      message: expect.stringContaining('Authentication credentials invalid'),
    });
  });

  test('shows why the server rejects a test email', async () => {
    const server = await startMailServer({
      onMailFrom: (_address, _session, done) => done(reply(550, 'No such mailbox here')),
    });
    const { engine } = setUp();
    const local = {
      ...mail,
      username: '',
      host: '127.0.0.1',
      port: String(server.port),
      to: 'ops@example.com',
    };
    expect(await engine.call('config.testMail', local)).toEqual({
      sent: false,
      message: expect.stringContaining('No such mailbox here'),
    });
  });
});

describe('base configuration', () => {
  test('is replaced unless it has errors or has changed', async () => {
    const { engine, read } = setUp();
    const before = await engine.call('config.base', {});
    expect(before).toMatchObject({ exists: false, spec: '', source: 'default' });
    const spec = '# All workflows\nhistRetentionDays: 9\n';
    const after = await engine.call('config.setBase', { spec, baseHash: before.hash });
    expect(after).toMatchObject({ exists: true, spec, diagnostics: [] });
    expect(read('base.yaml')).toBe(spec);
    await expect(engine.call('config.setBase', { spec: '', baseHash: before.hash })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(engine.call('config.setBase', { spec: 'maxActiveRuns: many\n' })).rejects.toMatchObject({
      code: 'invalid_spec',
    });
    expect(read('base.yaml')).toBe(spec);
  });
});
