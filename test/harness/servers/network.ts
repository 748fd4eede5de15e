import { spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { findMissingForNetworks } from '../../../scripts/setup/test-environment.mjs';
import { onTestCleanup } from '../resources.ts';

/** A user's PATH may lack the folder of such programs. */
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };

const ask = (words: readonly string[]): { status: number | null; stderr: string } =>
  spawnSync('ip', words, { encoding: 'utf8', env });

/** What this machine lacks for separate networks; undefined if it has everything. */
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

/** A machine of a network: programs started there see only its own interfaces. */
export interface Machine {
  /** Command prefix for a program that runs there; the process stays the same. */
  readonly words: readonly string[];
  /** Pulls its cable: packets are lost silently, and open connections are not notified. */
  cut(): void;
  mend(): void;
}

/**
 * A switch with a hub, and machines with a cable each: Linux network namespaces, invisible to this machine's
 * own network; a browser would abort its requests whenever an interface is added or removed. Addresses are of
 * the range for benchmarks (RFC 2544), which no real network has.
 */
export class TestNetwork {
  /** IPv4 address of the hub in it. */
  readonly address: string;
  /** Command prefix for a program that runs at the hub; the process stays the same. */
  readonly words: readonly string[];
  readonly #hub: string;
  readonly #prefix: string;
  #machines = 0;

  private constructor() {
    this.#hub = `sw${randomBytes(3).toString('hex')}`;
    this.#prefix = `198.18.${randomInt(256)}`;
    this.address = `${this.#prefix}.1`;
    this.words = enter(this.#hub);
  }

  /** It is removed after the test. Throws the error of `ip`. */
  static open(): TestNetwork {
    const network = new TestNetwork();
    const hub = network.#hub;
    addSpace(hub);
    run(['-n', hub, 'link', 'add', 'switch', 'type', 'bridge']);
    run(['-n', hub, 'addr', 'add', `${network.address}/24`, 'dev', 'switch']);
    run(['-n', hub, 'link', 'set', 'switch', 'up']);
    return network;
  }

  /** One more machine, connected. At most 200. */
  addMachine(): Machine {
    this.#machines += 1;
    const hub = this.#hub;
    const space = `${hub}-${this.#machines}`;
    const [near, far] = [`cable${this.#machines}`, 'eth0'];
    addSpace(space);
    run(['-n', hub, 'link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', space]);
    // Open connections keep the namespace, and with it the cable, for minutes.
    onTestCleanup(() => void ask(['-n', hub, 'link', 'del', near]));
    run(['-n', hub, 'link', 'set', near, 'master', 'switch', 'up']);
    run(['-n', space, 'addr', 'add', `${this.#prefix}.${this.#machines + 1}/24`, 'dev', far]);
    run(['-n', space, 'link', 'set', far, 'up']);
    return {
      words: enter(space),
      cut: () => run(['-n', hub, 'link', 'set', near, 'down']),
      mend: () => run(['-n', hub, 'link', 'set', near, 'up']),
    };
  }
}

const enter = (space: string): readonly string[] => ['ip', 'netns', 'exec', space];

/** A network namespace with a loopback, which is removed after the test. */
function addSpace(name: string): void {
  run(['netns', 'add', name]);
  onTestCleanup(() => void ask(['netns', 'del', name]));
  run(['-n', name, 'link', 'set', 'lo', 'up']);
}

function run(words: readonly string[]): void {
  const { status, stderr } = ask(words);
  if (status !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr}`);
}
