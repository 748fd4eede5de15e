import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { checkedLookup, type AddressRules } from './address-check.ts';

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
