import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { checkedLookup, type AddressRules } from './address-check.ts';

/** What decides which connections a delivery may share. */
export interface ConnectionNeeds {
  readonly url: string;
  readonly verifyTls: boolean;
  readonly allowPrivate: boolean;
}

/** Connections to receivers, kept open for a while so that many deliveries need few of them. */
export class Connections {
  /** Finds addresses for what may not reach private ones. */
  readonly lookup: LookupFunction;
  readonly #agents = new Map<string, HttpAgent | HttpsAgent>();

  constructor(addresses?: Partial<AddressRules>) {
    this.lookup = checkedLookup(addresses);
  }

  /**
   * The pool for a delivery. What is not verified, and what may reach private addresses, has pools of its own, so
   * that no other delivery is given a connection that it would not have been allowed to make.
   */
  agentFor({ url, verifyTls, allowPrivate }: ConnectionNeeds): HttpAgent | HttpsAgent {
    const isHttps = url.toLowerCase().startsWith('https:');
    const key = `${isHttps} ${verifyTls} ${allowPrivate}`;
    let agent = this.#agents.get(key);
    if (agent === undefined) {
      agent = isHttps ? new HttpsAgent({ ...pool, rejectUnauthorized: verifyTls }) : new HttpAgent(pool);
      this.#agents.set(key, agent);
    }
    return agent;
  }

  /** Closes all connections; deliveries under way fail. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }
}

const pool = { keepAlive: true, maxSockets: 64, maxFreeSockets: 16, timeout: 30_000 } as const;
