import { spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { findMissingForNetworks } from '../../../scripts/setup/network.mjs';
import { onTestCleanup } from '../on-test-cleanup.ts';

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
 * A switch with a hub at it, and machines with a cable each: network namespaces of Linux, of which this machine's own
 * network learns nothing; a browser would give up its requests whenever an interface comes or goes. Addresses are of
 * the range for measurements (RFC 2544), which no real network has.
 */
export class TestNetwork {
  /** IPv4 address of the hub in it. */
  readonly address: string;
  /** Words before those of a program that is to run at the hub; it is the same process. */
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

  /** It goes with the test. Throws what `ip` says. */
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
    // Connections that nobody has closed keep the namespace, and with it the cable, for minutes.
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

/** A network namespace with a loopback, which goes with the test. */
function addSpace(name: string): void {
  run(['netns', 'add', name]);
  onTestCleanup(() => void ask(['netns', 'del', name]));
  run(['-n', name, 'link', 'set', 'lo', 'up']);
}

function run(words: readonly string[]): void {
  const { status, stderr } = ask(words);
  if (status !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr}`);
}
