import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** Why a connection to a webhook URL was rejected; `code` distinguishes it from network errors. */
export class AddressRefusedError extends Error {
  readonly code = 'ERR_REFUSED_ADDRESS';
}

/** Networks that are not part of the public internet (IANA special-purpose registries of IPv4 and IPv6). */
const privateNetworks: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];

const blocked = new BlockList();
for (const [network, prefix] of privateNetworks) {
  blocked.addSubnet(network, prefix, network.includes(':') ? 'ipv6' : 'ipv4');
}

/** Whether an address, including IPv4 in IPv6 form, is local, private or invalid. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  const bare = address.split('%')[0]!;
  return blocked.check(bare, family === 6 ? 'ipv6' : 'ipv4');
}

/** Resolves a host name to all its addresses. */
export type ResolveAll = (
  hostname: string,
  options: LookupOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const resolveAll: ResolveAll = (hostname, options, done) => lookup(hostname, { ...options, all: true }, done);

/** Name resolution, and the addresses that need explicit permission. */
export interface AddressRules {
  readonly resolve: ResolveAll;
  readonly isPrivate: (address: string) => boolean;
}

/**
 * Returns a `lookup` function for `http.request` that checks the address to connect to, which prevents DNS rebinding.
 * TLS still uses the host name. A name with any private address is rejected. A host that is an IP address does not use
 * this function: see {@link checkHost}.
 */
export function checkedLookup({
  resolve = resolveAll,
  isPrivate = isPrivateAddress,
}: Partial<AddressRules> = {}): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, options, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const refused = addresses.find(({ address }) => isPrivate(address));
      if (refused !== undefined) return callback(failure(hostname, refused.address), '');
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      if (first === undefined)
        return callback(new AddressRefusedError(`Host name ${hostname} not found.`), '');
      callback(null, first.address, first.family);
    });
  };
}

/** Rejects a host that is a private address. Names are checked at lookup. */
export function checkHost(hostname: string): AddressRefusedError | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) !== 0 && isPrivateAddress(bare) ? failure(hostname, bare) : undefined;
}

const failure = (hostname: string, address: string): AddressRefusedError =>
  new AddressRefusedError(
    `${hostname === address || hostname === `[${address}]` ? address : `${hostname} (${address})`} is a loopback or private network address. Allow private addresses for this webhook if intended.`,
  );

/** Properties that decide which connection pool a delivery uses. */
export interface ConnectionOptions {
  readonly url: string;
  readonly verifyTls: boolean;
  readonly allowPrivate: boolean;
}

/** Keep-alive connections to receivers. */
export class Connections {
  /** Resolves names for hooks that must not reach private addresses. */
  readonly lookup: LookupFunction;
  readonly #agents = new Map<string, HttpAgent | HttpsAgent>();

  constructor(addresses?: Partial<AddressRules>) {
    this.lookup = checkedLookup(addresses);
  }

  /**
   * Returns the connection pool of a delivery. Deliveries without TLS verification and deliveries to private addresses
   * have separate pools, so that no other delivery can reuse their connections.
   */
  poolFor({ url, verifyTls, allowPrivate }: ConnectionOptions): HttpAgent | HttpsAgent {
    const isHttps = url.toLowerCase().startsWith('https:');
    const key = `${isHttps} ${verifyTls} ${allowPrivate}`;
    let agent = this.#agents.get(key);
    if (agent === undefined) {
      agent = isHttps ? new HttpsAgent({ ...pool, rejectUnauthorized: verifyTls }) : new HttpAgent(pool);
      this.#agents.set(key, agent);
    }
    return agent;
  }

  /** Closes all connections; current deliveries fail. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }
}

const pool = { keepAlive: true, maxSockets: 64, maxFreeSockets: 16, timeout: 30_000 } as const;
