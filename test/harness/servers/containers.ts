import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  mkdtempSync,
} from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import Docker from 'dockerode';
import { afterAll, beforeAll, describe } from 'vitest';
import { findMissingForContainers } from '../../../scripts/setup/test-environment.mjs';
import { until } from '../resources.ts';
import { findClosedPort } from './ports.ts';

/** What this machine lacks; undefined if it has everything. */
export const missingForContainers: string | undefined = findMissing();

function findMissing(): string | undefined {
  if (process.platform !== 'linux') return 'Linux';
  if (process.getuid?.() !== 0) return 'the rights of root';
  const missing = findMissingForContainers();
  return missing.length === 0 ? undefined : `${missing.join(', ')} (Debian packages)`;
}

/** An image in every container engine of the tests: BusyBox, without an entry point. */
export const busybox = 'localhost/busybox:test';

/** Kernels of small machines have neither these cgroups nor that many processes; no test needs a network. */
const configuration = `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
netns = "none"
[engine]
cgroup_manager = "cgroupfs"
runtime = "runc"
events_logger = "file"
`;

/** Shorter than the timeout of a hook, which does not apply while this process waits for a program. */
const podmanTimeoutMs = 50_000;

/** A real Podman with its own images and containers, which supports the Docker Engine API. */
export class TestContainerEngine {
  readonly folder: string;
  readonly socket: string;
  readonly docker: Docker;
  #process: ChildProcess | undefined;

  private constructor(folder: string) {
    this.folder = folder;
    this.socket = join(folder, 'podman.sock');
    this.docker = new Docker({ socketPath: this.socket });
  }

  /** @param folder empty; contains all files of the engine */
  static async start(folder: string): Promise<TestContainerEngine> {
    const engine = new TestContainerEngine(folder);
    writeFileSync(join(folder, 'containers.conf'), configuration);
    writeFileSync(join(folder, 'registries.conf'), '');
    makeRootArchive(folder, engine.#archive);
    engine.addImage(busybox);
    await engine.begin();
    return engine;
  }

  /** Variables for a workflow to find it. */
  get host(): string {
    return `unix://${this.socket}`;
  }

  /** Restarts the service after `stop`. */
  async begin(): Promise<void> {
    const args = [...this.#options, 'system', 'service', '--time=0', this.host];
    const child = spawn('podman', args, { stdio: 'ignore', env: this.#env });
    this.#process = child;
    await until(() => existsSync(this.socket) || child.exitCode !== null);
    if (child.exitCode !== null) throw new Error(`podman system service ended with ${child.exitCode}`);
  }

  /** Stops the service. Containers continue. */
  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
    rmSync(this.socket, { force: true });
  }

  /** Stops the service and everything in it. */
  async close(): Promise<void> {
    await this.stop();
    this.podman('rm', '--all', '--force', '--time', '0');
    this.podman('rmi', '--all', '--force');
    for (const pid of this.#watchers()) process.kill(pid, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs the command-line program on the same containers. */
  podman(...args: string[]): string {
    return execFileSync('podman', [...this.#options, ...args], {
      env: this.#env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: podmanTimeoutMs,
    });
  }

  /** Lets it pull from a registry without TLS. */
  async trust(registry: string): Promise<void> {
    await this.stop();
    const entry = `[[registry]]\nlocation = "${registry}"\ninsecure = true\n`;
    writeFileSync(join(this.folder, 'registries.conf'), entry);
    await this.begin();
  }

  /** Names of all containers, running or not. */
  async containers(): Promise<string[]> {
    const listed = await this.docker.listContainers({ all: true });
    return listed.flatMap(({ Names }) => Names.map((name) => name.replace(/^\//, '')));
  }

  /**
   * Adds an image like {@link busybox}.
   * @param changes lines of a Dockerfile, such as `ENTRYPOINT ["/bin/echo"]`
   */
  addImage(name: string, ...changes: string[]): void {
    this.podman('import', '--quiet', ...changes.flatMap((line) => ['--change', line]), this.#archive, name);
  }

  /** Podman keeps a process for each command in a container for some minutes after its end. */
  #watchers(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^[0-9]+$/.test(name))
      .filter((pid) => readArguments(pid).includes(`${this.folder}/`))
      .map(Number);
  }

  get #archive(): string {
    return join(this.folder, 'root.tar');
  }

  get #options(): string[] {
    const filePath = (name: string): string => join(this.folder, name);
    return [
      ...['--root', filePath('storage'), '--runroot', filePath('run'), '--tmpdir', filePath('tmp')],
      ...['--storage-driver', 'vfs', '--registries-conf', filePath('registries.conf')],
    ];
  }

  get #env(): NodeJS.ProcessEnv {
    return { ...process.env, CONTAINERS_CONF: join(this.folder, 'containers.conf') };
  }
}

/** The command line of a process; empty if it has exited. */
function readArguments(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** BusyBox with a link for each of its programs, as the root of a file system. */
function makeRootArchive(folder: string, archive: string): void {
  const root = join(folder, 'root');
  for (const name of ['bin', 'etc', 'tmp', 'proc', 'sys', 'dev', 'root'])
    mkdirSync(join(root, name), { recursive: true });
  const program = ['/bin/busybox', '/usr/bin/busybox'].find((file) => existsSync(file))!;
  copyFileSync(program, join(root, 'bin/busybox'));
  for (const applet of execFileSync(program, ['--list'], { encoding: 'utf8' }).trim().split('\n'))
    if (applet !== 'busybox') symlinkSync('busybox', join(root, 'bin', applet));
  writeFileSync(
    join(root, 'etc/passwd'),
    'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n',
  );
  execFileSync('tar', ['--create', '--file', archive, '--directory', root, '.']);
  rmSync(root, { recursive: true });
}

/** Debian's `docker-registry` on a free loopback port, which requires a login for everything. */
export class ImageRegistry {
  readonly user = 'robot';
  readonly password = 'pass-word-1';
  readonly host: string;
  readonly #process: ChildProcess;

  private constructor(host: string, child: ChildProcess) {
    this.host = host;
    this.#process = child;
  }

  /** @param folder empty; contains the images */
  static async start(folder: string): Promise<ImageRegistry> {
    const host = `127.0.0.1:${await findClosedPort()}`;
    // The password above, as a bcrypt hash.
    const hash = '$2b$05$abcdefghijklmnopqrstuupSO9sO3ASIekd.qADcbb/jgkLKkQBR2';
    writeFileSync(join(folder, 'htpasswd'), `robot:${hash}\n`);
    const file = join(folder, 'config.yml');
    writeFileSync(
      file,
      [
        'version: 0.1',
        'log: {level: error, accesslog: {disabled: true}}',
        `storage: {filesystem: {rootdirectory: ${JSON.stringify(join(folder, 'images'))}}}`,
        `http: {addr: ${JSON.stringify(host)}}`,
        `auth: {htpasswd: {realm: tests, path: ${JSON.stringify(join(folder, 'htpasswd'))}}}`,
        '',
      ].join('\n'),
    );
    const child = spawn('docker-registry', ['serve', file], { stdio: 'ignore' });
    const registry = new ImageRegistry(host, child);
    let answers = false;
    while (!answers) {
      if (child.exitCode !== null) throw new Error(`docker-registry ended with ${child.exitCode}`);
      answers = await fetch(`http://${host}/v2/`).then(
        ({ status }) => status === 401,
        () => false,
      );
    }
    return registry;
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGTERM');
    await until(() => this.#process.exitCode !== null || this.#process.signalCode !== null);
  }
}

/**
 * Tests that need a container engine, shared by all, in files of the project `containers` of
 * vitest.config.ts. They are skipped, with the reason in the title, where something is missing.
 */
export function describeWithContainers(
  name: string,
  define: (engine: () => TestContainerEngine) => void,
): void {
  if (process.env['MAY_START_CONTAINERS'] === undefined)
    throw new Error('Add this file to the project "containers" of vitest.config.ts: it starts containers');
  const missing = missingForContainers === undefined ? '' : ` (missing here: ${missingForContainers})`;
  describe.skipIf(missingForContainers !== undefined)(`${name}${missing}`, { timeout: 30_000 }, () => {
    let engine: TestContainerEngine | undefined;
    beforeAll(async () => {
      engine = await TestContainerEngine.start(mkdtempSync(join(tmpdir(), 'containers-')));
    }, 60_000);
    afterAll(() => engine?.close(), 60_000);
    define(() => engine!);
  });
}
