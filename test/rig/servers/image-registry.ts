import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findClosedPort } from './loopback.ts';
import { until } from '../until.ts';

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
