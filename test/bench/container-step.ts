/**
 * Commands in Podman containers: one container per command, and all in the workflow's container, compared
 * with `podman run` and `podman exec`. `node test/bench/container-step.ts [commands]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEngine, systemClock } from '../../core/index.ts';
import { busybox, missingForContainers, TestContainerEngine } from '../harness/servers/containers.ts';
import { silentLogger } from '../harness/fakes.ts';

const count = Number(process.argv[2] ?? 20);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

if (missingForContainers !== undefined) throw new Error(`missing here: ${missingForContainers}`);
const home = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
const containers = await TestContainerEngine.start(mkdtempSync(path.join(tmpdir(), 'stepwright-bench-')));
const engine = await openEngine({ home, clock: systemClock, logger: silentLogger, version: 'bench' });

/** Total milliseconds. */
function measureBaseline(...args: readonly string[]): number {
  const started = performance.now();
  for (let done = 0; done < count; done++) containers.podman(...args);
  return performance.now() - started;
}

async function measureRun(head: string, step: string): Promise<number> {
  const spec = `env: [{DOCKER_HOST: '${containers.host}'}]\n${head}steps:\n${`  - ${step}\n`.repeat(count)}`;
  const started = performance.now();
  const run = await engine.startRun({ source: { spec }, trigger: 'api' });
  const end = await engine.waitForEnd(run);
  if (end.status !== 'succeeded') throw new Error(`the run ended as ${end.status}: ${end.error}`);
  return performance.now() - started;
}

const show = (how: string, ms: number): void =>
  print(`| ${how} | ${ms.toFixed(0)} | ${(ms / count).toFixed(0)} |`);
print(`${count} commands "true" in containers of Podman, one after the other`);
print('| how | ms | ms a command |');
print('|---|---:|---:|');
const container = `{image: '${busybox}', network: none}`;
show('floor: `podman run --rm`', measureBaseline('run', '--rm', '--network', 'none', busybox, 'true'));
show('step with a container of its own', await measureRun('', `{container: ${container}, command: 'true'}`));
containers.podman('run', '--detach', '--name', 'floor', '--network', 'none', busybox, 'sleep', '1000');
show('floor: `podman exec`', measureBaseline('exec', 'floor', 'true'));
show(
  'step in the container of the workflow',
  await measureRun(`container: ${container}\n`, "{command: 'true'}"),
);
await engine.close('stop');
await containers.close();
rmSync(home, { recursive: true });
