/**
 * Commands on another host: 100 concurrently over pooled connections, compared with one `ssh` process per
 * command, and sequentially over one connection. The host is this machine. `node test/bench/ssh-commands.ts
 * [commands]`
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEngine, systemClock, type Engine } from '../../core/index.ts';
import { missingForSsh, SshServer } from '../harness/servers/ssh.ts';
import { silentLogger } from '../harness/fakes.ts';

const count = Number(process.argv[2] ?? 100);
/** Concurrent `ssh` processes: servers limit concurrent logins by default. */
const concurrentLogins = 8;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function runBySsh({ port, user, host, key, knownHosts }: SshServer): Promise<void> {
  const options = ['-F', 'none', '-i', key, '-o', `UserKnownHostsFile=${knownHosts}`, '-p', String(port)];
  return new Promise((resolve, reject) => {
    const child = spawn('ssh', [...options, `${user}@${host}`, 'true'], { stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`ssh ended with ${code}`))));
  });
}

/** Total milliseconds. */
async function measureBaseline(server: SshServer): Promise<number> {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: concurrentLogins }, async (_, lane) => {
      for (let index = lane; index < count; index += concurrentLogins) await runBySsh(server);
    }),
  );
  return performance.now() - started;
}

async function measureRun(
  engine: Engine,
  server: SshServer,
  type: string,
): Promise<{ ms: number; connections: number }> {
  const step = `  - {type: ssh, config: ${JSON.stringify(server.config())}, command: "true"}\n`;
  const started = performance.now();
  const run = await engine.startRun({
    source: { spec: `type: ${type}\nsteps:\n${step.repeat(count)}` },
    trigger: 'api',
  });
  let connections = 0;
  const looking = setInterval(() => (connections = Math.max(connections, server.connections().length)), 5);
  const end = await engine.waitForEnd(run);
  clearInterval(looking);
  if (end.status !== 'succeeded') throw new Error(`the run ended as ${end.status}: ${end.error}`);
  return { ms: performance.now() - started, connections };
}

if (missingForSsh !== undefined) throw new Error(`missing here: ${missingForSsh}`);
const home = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
const folder = path.join(home, 'ssh');
mkdirSync(folder);
const server = await SshServer.start(folder);
const engine = await openEngine({
  home: path.join(home, 'home'),
  clock: systemClock,
  logger: silentLogger,
  version: 'bench',
});
print(`${count} commands "true" on this machine by SSH`);
print('| how | ms | ms a command | connections |');
print('|---|---:|---:|---:|');
const show = (how: string, ms: number, connections: number): void =>
  print(`| ${how} | ${ms.toFixed(0)} | ${(ms / count).toFixed(1)} | ${connections} |`);
show(`floor: \`ssh\`, ${concurrentLogins} at once`, await measureBaseline(server), count);
for (const [how, type] of [
  ['engine, all at once', 'graph'],
  ['engine, one after the other', 'chain'],
] as const) {
  const { ms, connections } = await measureRun(engine, server, type);
  show(how, ms, connections);
}
await engine.close('stop');
await server.stop();
rmSync(home, { recursive: true, force: true });
