import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { findObjectServer } from '../../../scripts/setup/test-environment.mjs';
import { findClosedPort } from './ports.ts';

/** What this machine lacks; undefined if it has everything. */
export const missingForObjects: string | undefined =
  findObjectServer() === undefined
    ? 'OpenStack Swift (Debian: swift-proxy, swift-account, swift-container, swift-object)'
    : undefined;

const servers = ['account', 'container', 'object'] as const;

/** Where each part of the server finds the others: one device, one copy. */
const makeRings = `
import sys
from swift.common.ring import RingBuilder
for place, port in (ring.rsplit(' ', 1) for ring in sys.argv[1:]):
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'one', 'weight': 1,
                     'replication_ip': '127.0.0.1', 'replication_port': int(port), 'meta': ''})
    builder.rebalance()
    builder.get_ring().save(place + '.ring.gz')
`;

/**
 * A real object server that supports S3 (OpenStack Swift) on free loopback ports, with one disk and one user.
 */
export class ObjectServer {
  readonly folder: string;
  readonly port: number;
  readonly credentials = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };
  readonly #programs: ChildProcess[] = [];

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  /** @param bucket created for the tests */
  static async start(bucket: string): Promise<ObjectServer> {
    const server = new ObjectServer(mkdtempSync(join(tmpdir(), 'swift-')), await findClosedPort());
    mkdirSync(join(server.folder, 'disks/one'), { recursive: true });
    server.#write('swift.conf', [
      ['swift-hash', { swift_hash_path_suffix: 'tests' }],
      ['storage-policy:0', { name: 'gold', default: 'yes' }],
    ]);
    const ports = {
      account: await findClosedPort(),
      container: await findClosedPort(),
      object: await findClosedPort(),
    };
    // One process for all rings: Python starts slowly. It is the system's Python, for which the package is
    // installed.
    const rings = servers.map((part) => `${join(server.folder, part)} ${ports[part]}`);
    execFileSync('/usr/bin/python3', ['-c', makeRings, ...rings], { stdio: 'pipe' });
    await Promise.all([...servers.map((part) => server.#startPart(part, ports[part])), server.#startProxy()]);
    const client = new S3Client({ ...server.clientOptions, credentials: server.credentials });
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    client.destroy();
    return server;
  }

  get clientOptions(): { endpoint: string; region: string; forcePathStyle: true } {
    return { endpoint: `http://127.0.0.1:${this.port}`, region: 'us-east-1', forcePathStyle: true };
  }

  /** `objectStore.url` of a bucket. */
  url(bucket: string, prefix = ''): string {
    const { endpoint, region } = this.clientOptions;
    return `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}&region=${region}`;
  }

  /** Stops it and removes its files. */
  async close(): Promise<void> {
    const running = this.#programs.filter(({ exitCode }) => exitCode === null);
    const ended = running.map((program) => once(program, 'exit'));
    for (const program of running) program.kill('SIGKILL');
    await Promise.all(ended);
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #startPart(part: (typeof servers)[number], port: number): Promise<void> {
    const disks = { devices: join(this.folder, 'disks'), mount_check: 'false', disable_fallocate: 'true' };
    this.#write(`${part}.conf`, [
      ['DEFAULT', { ...this.#common(port), ...disks }],
      ['pipeline:main', { pipeline: `${part}-server` }],
      [`app:${part}-server`, { use: `egg:swift#${part}` }],
    ]);
    await this.#run(part, port);
  }

  async #startProxy(): Promise<void> {
    const filters = ['catch_errors', 'cache', 'listing_formats', 'bulk', 's3api', 'tempauth', 'slo'];
    const options: Readonly<Record<string, object>> = {
      // No server responds there: values that would be cached are requested each time.
      cache: { memcache_servers: '127.0.0.1:1' },
      s3api: { location: 'us-east-1' },
      tempauth: { user_test_tester: 'testing .admin' },
    };
    this.#write('proxy.conf', [
      ['DEFAULT', this.#common(this.port)],
      ['pipeline:main', { pipeline: [...filters, 'proxy-server'].join(' ') }],
      ...filters.map((name): [string, object] => [
        `filter:${name}`,
        { use: `egg:swift#${name === 'cache' ? 'memcache' : name}`, ...options[name] },
      ]),
      ['app:proxy-server', { use: 'egg:swift#proxy', account_autocreate: 'true' }],
    ]);
    await this.#run('proxy', this.port);
  }

  #common(port: number): object {
    const user = userInfo().username;
    return { bind_ip: '127.0.0.1', bind_port: port, workers: 0, user, swift_dir: this.folder };
  }

  #write(name: string, sections: readonly (readonly [string, object])[]): void {
    const text = sections.map(
      ([title, values]) =>
        `[${title}]\n${Object.entries(values)
          .map(([key, value]) => `${key} = ${value}\n`)
          .join('')}`,
    );
    writeFileSync(join(this.folder, name), text.join('\n'));
  }

  async #run(part: string, port: number): Promise<void> {
    const log = join(this.folder, `${part}.log`);
    const program = join(findObjectServer()!, `swift-${part}-server`);
    // It logs to the system log and, if configured, to its output; earlier messages are here in any case.
    const child = spawn(
      'sh',
      ['-c', 'exec "$0" "$1" --verbose >"$2" 2>&1', program, join(this.folder, `${part}.conf`), log],
      {
        stdio: 'ignore',
      },
    );
    this.#programs.push(child);
    while (!(await answers(port))) {
      if (child.exitCode !== null)
        throw new Error(`swift-${part}-server ended: ${readFileSync(log, 'utf8')}`);
      // Python needs the processor to start.
      await pause(50);
    }
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
