import { spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { findMissingForNetworks } from '../../../scripts/setup/network.mjs';
import { whenOver } from '../when-over.ts';

/** A user's path may lack the folder of such programs. */
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };

const ask = (words: readonly string[]): { status: number | null; stderr: string } =>
  spawnSync('ip', words, { encoding: 'utf8', env });

/** What this machine lacks for networks of its own; undefined when it has all. */
export const missingForNetworks: string | undefined = findMissing();

function findMissing(): string | undefined {
  if (process.platform !== 'linux') return 'Linux';
  if (process.getuid?.() !== 0) return 'the rights of root';
  const missing = findMissingForNetworks();
  if (missing !== undefined) return missing;
  const name = `sw${randomBytes(3).toString('hex')}`;
  const { status } = ask(['netns', 'add', name]);
  if (status !== 0) return 'a kernel that lets this process make network namespaces';
  // A namespace without a bridge has no switch.
  const made = ask(['-n', name, 'link', 'add', 'probe', 'type', 'bridge']);
  ask(['netns', 'del', name]);
  return made.status === 0 ? undefined : 'a kernel with bridges between network namespaces';
}

/** A machine of a network: what is started there sees nothing but its own interfaces. */
export interface Machine {
  /** Words before those of a program that is to run there; it is the same process. */
  readonly words: readonly string[];
  /** Pulls its cable: what is sent is lost without a word, and open connections learn nothing. */
  cut(): void;
  mend(): void;
}

/**
 * A switch with this machine at it, and machines with a cable each: network namespaces of Linux. Addresses are of the
 * range for measurements (RFC 2544), which no real network has.
 */
export class TestNetwork {
  /** IPv4 address of this machine in it. */
  readonly address: string;
  readonly #name: string;
  readonly #prefix: string;
  #machines = 0;

  private constructor() {
    this.#name = `sw${randomBytes(3).toString('hex')}`;
    this.#prefix = `198.18.${randomInt(256)}`;
    this.address = `${this.#prefix}.1`;
  }

  /** It goes with the test. Throws what `ip` says. */
  static open(): TestNetwork {
    const network = new TestNetwork();
    const bridge = network.#name;
    run(['link', 'add', bridge, 'type', 'bridge']);
    whenOver(() => void ask(['link', 'del', bridge]));
    run(['addr', 'add', `${network.address}/24`, 'dev', bridge]);
    run(['link', 'set', bridge, 'up']);
    return network;
  }

  /** One more machine, connected. At most 200. */
  addMachine(): Machine {
    this.#machines += 1;
    const space = `${this.#name}-${this.#machines}`;
    const [near, far] = [`${this.#name}p${this.#machines}`, 'eth0'];
    run(['netns', 'add', space]);
    whenOver(() => void ask(['netns', 'del', space]));
    run(['link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', space]);
    // Connections that nobody has closed keep the namespace, and with it the cable, for minutes.
    whenOver(() => void ask(['link', 'del', near]));
    run(['link', 'set', near, 'master', this.#name, 'up']);
    run(['-n', space, 'link', 'set', 'lo', 'up']);
    run(['-n', space, 'addr', 'add', `${this.#prefix}.${this.#machines + 1}/24`, 'dev', far]);
    run(['-n', space, 'link', 'set', far, 'up']);
    return {
      words: ['ip', 'netns', 'exec', space],
      cut: () => run(['link', 'set', near, 'down']),
      mend: () => run(['link', 'set', near, 'up']),
    };
  }
}

function run(words: readonly string[]): void {
  const { status, stderr } = ask(words);
  if (status !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr}`);
}
