import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { RunResources } from '../../../../core/executors/resources.ts';
import { findClosedPort, listenOnLoopback } from '../../../harness/servers/ports.ts';
import { makeKey, SshServer, describeWithSsh, sshAction } from '../../../harness/servers/ssh.ts';

import { makeTemporaryFolder, until } from '../../../harness/resources.ts';
import { runStep, type StepChoice } from '../step-harness.ts';

/** Result of a command that succeeds once it is logged in. */
async function errorOf(server: SshServer, config: Record<string, unknown>, choice: StepChoice = {}) {
  const { end } = await runStep(sshAction(server, { command: 'true', config }), choice);
  return end.error;
}

/** Returns the number of connections of commands that all run at the same time. */
async function countConnections(server: SshServer, count: number, resources: RunResources): Promise<number> {
  const folder = makeTemporaryFolder();
  const action = sshAction(server, {
    command: `echo "$SSH_CONNECTION"; mktemp ${folder}/XXXXXX > /dev/null; while [ ! -e ${folder}/go ]; do sleep 0.02; done`,
  });
  const steps = Promise.all(Array.from({ length: count }, () => runStep(action, { resources })));
  await until(() => readdirSync(folder).length === count);
  writeFileSync(join(folder, 'go'), '');
  const ends = await steps;
  expect(ends.filter(({ end }) => end.exitCode !== 0)).toEqual([]);
  return new Set(ends.map(({ stdout }) => stdout)).size;
}

/** An empty known_hosts file, or one with the lines. */
function makeKnownHosts(text = ''): string {
  const file = join(makeTemporaryFolder(), 'known_hosts');
  writeFileSync(file, text);
  return file;
}

const fingerprintOf = (file: string): string =>
  execFileSync('ssh-keygen', ['-lf', `${file}.pub`], { encoding: 'utf8' }).split(' ')[1]!;

describeWithSsh('host key', (server) => {
  it.each(['ed25519', 'rsa', 'ecdsa'] as const)('is requested by its known type: %s', async (type) => {
    const knownHostFile = makeKnownHosts(server().knownHostLine(type));
    expect(await errorOf(server(), { knownHostFile })).toBeUndefined();
  });

  it('can be known by a hashed name', async () => {
    const knownHostFile = makeKnownHosts(server().knownHostLine('ed25519'));
    execFileSync('ssh-keygen', ['-q', '-H', '-f', knownHostFile], { stdio: 'ignore' });
    expect(readFileSync(knownHostFile, 'utf8')).toMatch(/^\|1\|/);
    expect(await errorOf(server(), { knownHostFile })).toBeUndefined();
  });

  it('must be known, and the message says how to add it', async () => {
    const knownHostFile = makeKnownHosts('other.example.com ssh-ed25519 AAAA\n');
    const error = await errorOf(server(), { knownHostFile });
    const { port } = server();
    expect(error).toContain(`Unknown host [127.0.0.1]:${port}: ${knownHostFile} has no key for this host.`);
    expect(error).toContain(fingerprintOf(server().hostKey('ed25519')));
    const [scan = ''] = /ssh-keyscan -p .*$/.exec(error!) ?? [];
    execFileSync('sh', ['-c', scan], { stdio: 'ignore' });
    expect(await errorOf(server(), { knownHostFile })).toBeUndefined();
  });

  it('must be known when there is no file either', async () => {
    const knownHostFile = `${makeKnownHosts()}.missing`;
    expect(await errorOf(server(), { knownHostFile })).toContain(`file ${knownHostFile} not found`);
  });

  it('must not have changed; the message has both fingerprints, the line and what to do', async () => {
    const stranger = join(makeTemporaryFolder(), 'key');
    makeKey(stranger);
    const line = server().knownHostLine('ed25519').split(' ')[0]!;
    const known = readFileSync(`${stranger}.pub`, 'utf8').split(' ').slice(0, 2).join(' ');
    const knownHostFile = makeKnownHosts(`# hosts\n${line} ${known}\n`);
    const error = await errorOf(server(), { knownHostFile });
    expect(error).toContain(`the host has ssh-ed25519 ${fingerprintOf(server().hostKey('ed25519'))}`);
    expect(error).toContain(`${knownHostFile} has ssh-ed25519 ${fingerprintOf(stranger)} (line 2)`);
    const [remove = ''] = /ssh-keygen -f \S+ -R '\S+'/.exec(error!) ?? [];
    execFileSync('sh', ['-c', remove], { stdio: 'ignore' });
    expect(await errorOf(server(), { knownHostFile })).toContain('Unknown host ');
  });

  it('must not be revoked', async () => {
    const line = server().knownHostLine('ed25519');
    const knownHostFile = makeKnownHosts(`${line}@revoked ${line.replace(/^\S+/, '*')}`);
    expect(await errorOf(server(), { knownHostFile })).toMatch(/is marked as revoked in .*, line 2/);
  });

  it('is not checked when the step disables it', async () => {
    const config = { knownHostFile: makeKnownHosts(), strictHostKey: false };
    expect(await errorOf(server(), config)).toBeUndefined();
  });
});

describeWithSsh('logging in', (server) => {
  it('accepts an encrypted key with its passphrase, and reports what is wrong without', async () => {
    const key = join(makeTemporaryFolder(), 'key');
    makeKey(key, 'ed25519', 'open sesame');
    appendFileSync(join(server().folder, 'authorized_keys'), readFileSync(`${key}.pub`));
    expect(await errorOf(server(), { key, passphrase: 'open sesame' })).toBeUndefined();
    expect(await errorOf(server(), { key, passphrase: 'wrong' })).toContain('"passphrase" is probably wrong');
    expect(await errorOf(server(), { key })).toContain(
      'is encrypted. Set its passphrase in "passphrase", or load the key into an SSH agent and remove "key".',
    );
  });

  it('uses the SSH agent when there is neither key nor password', async () => {
    const socket = join(makeTemporaryFolder(), 'agent');
    const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void agent.kill());
    await new Promise((resolve) => agent.stdout.once('data', resolve));
    const env = { SSH_AUTH_SOCK: socket };
    const without = await errorOf(server(), { key: '' }, { env });
    expect(without).toContain(`tried: keys of the SSH agent at ${socket}`);
    execFileSync('ssh-add', ['-q', server().key], { env: { ...process.env, ...env }, stdio: 'ignore' });
    expect(await errorOf(server(), { key: '' }, { env })).toBeUndefined();
  });

  it('reports which methods were tried and which the server accepts', async () => {
    const key = join(makeTemporaryFolder(), 'stranger');
    makeKey(key);
    const error = await errorOf(server(), { key });
    expect(error).toContain(`tried: key ${key}. The server accepts: publickey. Check the username`);
    expect(await errorOf(server(), { key: '', password: 'secret' })).toMatch(
      /tried: password\. The server accepts: publickey\. Check the username and password\./,
    );
  });

  it.each([
    ['a public key', '.pub', /is a public key/],
    [
      'no file',
      '.missing',
      /Cannot read the private key .*: no such file or folder\. Set another file in "key"\.$/,
    ],
  ])('reports that %s is not a private key', async (_, suffix, expected) => {
    expect(await errorOf(server(), { key: `${server().key}${suffix}` })).toMatch(expected);
  });

  it('reports why known_hosts cannot be read', async () => {
    const knownHostFile = makeTemporaryFolder();
    expect(await errorOf(server(), { knownHostFile })).toContain(
      `Cannot read the known hosts file ${knownHostFile}: it is a folder. Fix it`,
    );
  });

  it('reports missing credentials', async () => {
    const before = process.env['SSH_AUTH_SOCK'];
    delete process.env['SSH_AUTH_SOCK'];
    onTestFinished(() => void (before && (process.env['SSH_AUTH_SOCK'] = before)));
    expect(await errorOf(server(), { key: '' })).toContain(
      ': set "key" or "password", or start the engine with an SSH agent in SSH_AUTH_SOCK.',
    );
  });
});

describeWithSsh('connecting', (server) => {
  it('reports a refused connection', async () => {
    const port = await findClosedPort();
    expect(await errorOf(server(), { port })).toContain(
      `127.0.0.1, port ${port}: connection refused. Check "host" and "port".`,
    );
  });

  it('reports a name without an address', async () => {
    expect(await errorOf(server(), { host: 'no-such-host.invalid' })).toMatch(/no-such-host\.invalid/);
  });

  it('times out', async () => {
    const silent = createServer((socket) => onTestFinished(() => void socket.destroy()));
    const port = await listenOnLoopback(silent);
    onTestFinished(() => void silent.close());
    expect(await errorOf(server(), { port, timeout: 0.05 })).toContain(
      'login timed out after 0.05 s. Check "host" and "port", or raise "timeout".',
    );
  });

  it('reports a server that does not speak SSH', async () => {
    const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const port = await listenOnLoopback(other);
    onTestFinished(() => void other.close());
    expect(await errorOf(server(), { port })).toMatch(/closed the connection before|Connecting to .* failed/);
  });

  it('is done once for consecutive commands of a run', async () => {
    const resources = new RunResources();
    const action = sshAction(server(), { command: 'echo "$SSH_CONNECTION"' });
    const first = await runStep(action, { resources });
    const second = await runStep(action, { resources });
    expect(second.stdout).toBe(first.stdout);
    await resources.close();
    await until(() => server().connections().length === 0);
  });

  it('is done again when the connection is broken', async () => {
    const resources = new RunResources();
    onTestFinished(() => resources.close());
    const action = sshAction(server(), { command: 'echo "$SSH_CONNECTION"' });
    const first = await runStep(action, { resources });
    server().breakConnections();
    const second = await runStep(action, { resources });
    expect(second.end).toEqual({ exitCode: 0 });
    expect(second.stdout).not.toBe(first.stdout);
  });

  it('respects the server’s limit of sessions per connection', async () => {
    const strict = await SshServer.start(makeTemporaryFolder(), ['MaxSessions 2']);
    onTestFinished(() => strict.stop());
    const resources = new RunResources();
    onTestFinished(() => resources.close());
    expect(await countConnections(strict, 5, resources)).toBe(3);
  });

  it('reports a login that cannot run commands', async () => {
    const closed = await SshServer.start(makeTemporaryFolder(), ['ForceCommand echo no shell here']);
    onTestFinished(() => closed.stop());
    const { end, stdout } = await runStep(sshAction(closed, { command: 'true' }));
    expect(end.error).toMatch(/the host did not run the command \(exit code 0\): no shell here/);
    expect(stdout).toBe('');
  });

  it('opens as many connections as concurrent commands need', async () => {
    const resources = new RunResources();
    onTestFinished(() => resources.close());
    expect(await countConnections(server(), 25, resources)).toBe(3);
  });
});
