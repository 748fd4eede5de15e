import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Smtp } from '../../../core/model/settings.ts';
import type { ExecutorAction } from '../../../core/model/step.ts';
import { resolveServers } from '../../../core/executors/smtp/servers.ts';
import { findClosedPort, listenOnLoopback } from '../../harness/servers/ports.ts';
import { makeCertificate } from '../../harness/servers/certificates.ts';
import { getHeader, getPart, reply, startMailServer } from '../../harness/servers/mail-server.ts';
import { makeTemporaryFolder, until } from '../../harness/resources.ts';
import { runStep, startStep } from './step-harness.ts';

const base = { from: 'etl@example.com', to: ['ops@example.com'], subject: 'Done', message: 'all of it' };
const mail = (config: ExecutorAction['config'] = {}): ExecutorAction => ({
  kind: 'executor',
  type: 'mail',
  config: { ...base, ...config },
});
const at = (port: number, more: Smtp = {}): Smtp => ({ host: '127.0.0.1', port: String(port), ...more });

describe('mail', () => {
  it('reaches all recipients, and hides bcc ones', async () => {
    const server = await startMailServer();
    const { end, stdout } = await runStep(
      mail({
        from: 'Nightly ETL <etl@example.com>',
        to: ['a@example.com, "Bee, Ms" <b@example.com>', 'c@example.com'],
        cc: ['d@example.com'],
        bcc: ['e@example.com'],
        replyTo: 'help@example.com',
        subject: 'Größe ✔',
        html: '<b>all of it</b>',
      }),
      { smtp: [at(server.port)] },
    );
    expect(end).toEqual({ exitCode: 0 });
    const [received] = server.mails;
    expect(received).toMatchObject({
      from: 'etl@example.com',
      to: ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com', 'e@example.com'],
    });
    expect(getHeader(received!, 'From')).toBe('Nightly ETL <etl@example.com>');
    expect(getHeader(received!, 'To')).toBe('a@example.com, "Bee, Ms" <b@example.com>, c@example.com');
    expect(getHeader(received!, 'Cc')).toBe('d@example.com');
    expect(getHeader(received!, 'Reply-To')).toBe('help@example.com');
    expect(getHeader(received!, 'Subject')).toBe('Größe ✔');
    expect(received!.raw).not.toMatch(/^(?!message-id:).*\be@example\.com/im);
    expect(getPart(received!, 'text/plain')).toContain('all of it');
    expect(getPart(received!, 'text/html')).toContain('<b>all of it</b>');
    expect(stdout).toContain(`e@example.com via 127.0.0.1:${server.port}: 250`);
  });

  it('has its attachments, relative to the directory of the step', async () => {
    const server = await startMailServer();
    const folder = makeTemporaryFolder();
    mkdirSync(join(folder, 'out'));
    writeFileSync(join(folder, 'out', 'report.csv'), 'a;b\n1;2\n');
    writeFileSync(join(folder, 'log.txt'), 'fine');
    const { end } = await runStep(mail({ attachments: ['out/report.csv', join(folder, 'log.txt')] }), {
      smtp: [at(server.port)],
      workingDir: folder,
    });
    expect(end).toEqual({ exitCode: 0 });
    expect(getPart(server.mails[0]!, 'filename=report.csv')).toBe('a;b\n1;2\n');
    expect(getPart(server.mails[0]!, 'filename=log.txt')).toBe('fine');
  });

  it.each([
    ['missing.csv', /Email not sent: the attachment/],
    ['.', /Email not sent: the attachment/],
  ])('is not sent when the attachment %s is missing', async (file, message) => {
    const server = await startMailServer();
    const { end } = await runStep(mail({ attachments: [file] }), { smtp: [at(server.port)] });
    expect(end.error).toMatch(message);
    expect(server.mails).toEqual([]);
  });

  it('gets no header from a line break in a value', async () => {
    const server = await startMailServer();
    const expand = (text: string): string => text.replace('$EVIL', 'x\r\nBcc: evil@example.com\r\n\r\nbody');
    const config = {
      from: '"$EVIL" <etl@example.com>',
      to: ['"$EVIL" <ops@example.com>'],
      subject: 'Of $EVIL',
      replyTo: '"$EVIL" <help@example.com>',
    };
    const { end } = await runStep(mail(config), { smtp: [at(server.port)], expand });
    expect(end).toEqual({ exitCode: 0 });
    const [received] = server.mails;
    expect(received!.to).toEqual(['ops@example.com']);
    expect(getHeader(received!, 'Bcc')).toBeUndefined();
    expect(getHeader(received!, 'Subject')).toBe('Of x Bcc: evil@example.com body');
    expect(getPart(received!, 'text/plain')).toContain('all of it');
  });

  it.each([
    [{ to: [' '] }, '"to" is empty. Add the address of a recipient.'],
    [{ to: ['ops'] }, 'Invalid email address "ops" in "to". Use an address such as ops@example.com.'],
    [{ cc: ['a@b@c'] }, /^Invalid email address "a@b@c" in "cc"\. Use an address such as ops@example\.com\./],
    [
      { from: 'a@example.com, b@example.com' },
      /^"from" must be a single address, but is "a@example\.com, b@example\.com"\./,
    ],
  ])('is not sent with %j', async (config, message) => {
    const server = await startMailServer();
    const { end } = await runStep(mail(config), { smtp: [at(server.port)] });
    expect(end.error).toMatch(message);
    expect(server.connections()).toBe(0);
  });

  it('needs a server', async () => {
    expect((await runStep(mail())).end.error).toMatch(/^The workflow has no mail server\./);
    expect((await runStep(mail(), { smtp: [{ host: '' }] })).end.error).toMatch(/^smtp\.host is empty/);
    const { end } = await runStep(mail(), { smtp: [{ host: 'a' }, { host: 'b', port: 'many' }] });
    expect(end.error).toBe('smtp[1].port must be a number from 1 to 65535 (got "many").');
  });
});

describe('connection to a mail server', () => {
  const login = { user: 'robot', password: 'sesame' };
  const named = { username: 'robot', password: 'sesame', skipTLSVerify: true };

  it.each(['PLAIN', 'LOGIN'])('logs in by %s, encrypted where the server offers it', async (method) => {
    const server = await startMailServer({ login, startTls: true, authMethods: [method] });
    const { end } = await runStep(mail(), { smtp: [at(server.port, named)] });
    expect(end).toEqual({ exitCode: 0 });
    expect(server.mails).toMatchObject([{ user: 'robot', method, secure: true }]);
  });

  // Only root can listen there.
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    it('is encrypted from the start on port 465', async () => {
      const server = await startMailServer({ secure: true, place: { host: '127.46.5.1', port: 465 } });
      const smtp = [{ host: '127.46.5.1', port: '465', skipTLSVerify: true }];
      expect((await runStep(mail(), { smtp })).end).toEqual({ exitCode: 0 });
      expect(server.mails).toMatchObject([{ secure: true }]);
    });
  }

  it('is closed before sending anything when the server’s certificate is untrusted', async () => {
    const server = await startMailServer({ login, startTls: true, ...makeCertificate() });
    const { end } = await runStep(mail(), { smtp: [at(server.port, { ...named, skipTLSVerify: false })] });
    expect(end.error).toMatch(
      /^Untrusted certificate of the mail server 127\.0\.0\.1:\d+: self-signed certificate\. Use a certificate .*skipTLSVerify: true/,
    );
    expect(server.mails).toEqual([]);
    await until(() => server.connections() === 0);
  });

  it('is closed when encryption is required but not offered, and the next server is used', async () => {
    const plain = await startMailServer({ login });
    const safe = await startMailServer({ login, startTls: true });
    const smtp = [
      at(plain.port, { ...named, requireTLS: true }),
      at(safe.port, { ...named, requireTLS: true }),
    ];
    const { end, stderr } = await runStep(mail(), { smtp });
    expect(end).toEqual({ exitCode: 0 });
    expect(stderr).toContain('TLS connection to the mail server');
    expect(plain.mails).toEqual([]);
    expect(safe.mails).toMatchObject([{ user: 'robot', secure: true }]);
    const alone = await runStep(mail(), { smtp: smtp.slice(0, 1) });
    expect(alone.end.error).toContain(
      'To allow unencrypted connections, which also send the password unencrypted, set "requireTLS: false" in smtp.',
    );
  });

  it('requires encryption for a login on another machine, unless configured otherwise', async () => {
    const requires = async (server: object): Promise<boolean> => {
      const [resolved] = await resolveServers(
        [{ host: 'smtp.example.com', ...server }],
        async (text) => text,
      );
      return resolved!.requireTLS;
    };
    expect(await requires({ username: 'robot' })).toBe(true);
    expect(await requires({})).toBe(false);
    expect(await requires({ username: 'robot', requireTLS: false })).toBe(false);
    expect(await requires({ requireTLS: true })).toBe(true);
    for (const host of ['localhost', '127.0.0.2', '::1'])
      expect(await requires({ username: 'a', host })).toBe(false);
    for (const host of ['127.example.com', 'localhost.example.com'])
      expect(await requires({ username: 'a', host })).toBe(true);
  });

  it('reports a rejected login, without the password', async () => {
    const server = await startMailServer({ login });
    const { end } = await runStep(mail(), {
      smtp: [at(server.port, { ...named, password: 'open' }), at(server.port, named)],
    });
    expect(end.error).toBe(
      `The mail server 127.0.0.1:${server.port} rejected the login of "robot": 535 Authentication credentials invalid. Check smtp.username and smtp.password.`,
    );
    expect(server.mails).toEqual([]);
  });

  it('reports that the sender must log in', async () => {
    const server = await startMailServer({ login });
    const { end } = await runStep(mail(), { smtp: [at(server.port)] });
    expect(end.error).toMatch(
      /rejected the sender: 530 Error: authentication Required\. Check "from", and whether the server requires a login\.$/,
    );
  });

  it('reports which recipient was rejected, and who got the mail', async () => {
    const server = await startMailServer({
      refuse: (address) => (address.startsWith('gone') ? reply(550, 'No such user') : undefined),
    });
    const some = await runStep(mail({ to: ['gone@example.com', 'ops@example.com'] }), {
      smtp: [at(server.port)],
    });
    expect(some.end).toEqual({
      exitCode: 1,
      error: `The mail server 127.0.0.1:${server.port} rejected gone@example.com (550 No such user). The email was sent to ops@example.com.`,
    });
    const all = await runStep(mail({ to: ['gone@example.com'] }), { smtp: [at(server.port)] });
    expect(all.end.error).toContain('rejected recipient gone@example.com: 550 No such user.');
    expect(server.mails.map(({ to }) => to)).toEqual([['ops@example.com']]);
  });

  it('explains a server that does not relay', async () => {
    const server = await startMailServer({ refuse: () => reply(554, 'Relay access denied') });
    const { end } = await runStep(mail(), { smtp: [at(server.port)] });
    expect(end.error).toMatch(
      /rejected recipient ops@example\.com: 554 Relay access denied, so the server does not relay email for this sender or without login\./,
    );
  });

  it('ends with the step', async () => {
    const silent = createServer();
    const port = await listenOnLoopback(silent);
    const connected = new Promise<void>((resolve) => {
      silent.on('connection', (socket) => {
        onTestFinished(() => void socket.destroy());
        socket.resume();
        resolve();
      });
    });
    const step = startStep(mail(), { smtp: [at(port)] });
    await connected;
    step.stop();
    expect((await step.ended).error).toBe('stopped before the email was sent');
    // Resolves only when no connection is left.
    await new Promise((resolve) => silent.close(resolve));
  });
});

describe('several servers', () => {
  it('the next one is tried when one is unreachable, or fails temporarily', async () => {
    const closed = await findClosedPort();
    const busy = await startMailServer({ refuse: () => reply(451, 'Try again later') });
    const full = await startMailServer({ refuseMail: () => reply(452, 'No room') });
    const distrusted = await startMailServer({ startTls: true });
    const open = await startMailServer();
    const ports = [closed, busy.port, full.port, distrusted.port, open.port];
    const { end, stderr } = await runStep(mail(), { smtp: ports.map((port) => at(port)) });
    expect(end).toEqual({ exitCode: 0 });
    expect(open.mails).toHaveLength(1);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /Cannot connect to the mail server .*ECONNREFUSED.* Trying the next server: 127\.0\.0\.1:\d+\.$/,
      ),
      expect.stringContaining('rejected recipient ops@example.com: 451 Try again later'),
      expect.stringContaining('rejected the email: 452 No room'),
      expect.stringContaining('Untrusted certificate of the mail server'),
    ]);
  });

  it('a permanent failure is final', async () => {
    const strict = await startMailServer({ refuseMail: () => reply(554, 'Looks like spam') });
    const open = await startMailServer();
    const { end } = await runStep(mail(), { smtp: [at(strict.port), at(open.port)] });
    expect(end.error).toContain('rejected the email: 554 Looks like spam.');
    expect(open.mails).toEqual([]);
  });

  it('each failed one is reported', async () => {
    const [one, two] = [await findClosedPort(), await findClosedPort()];
    const { end } = await runStep(mail(), { smtp: [at(one), at(two)] });
    expect(end.error).toContain(`Cannot connect to the mail server 127.0.0.1:${one}`);
    expect(end.error).toContain(`Cannot connect to the mail server 127.0.0.1:${two}`);
  });
});
