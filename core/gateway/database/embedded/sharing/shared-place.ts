import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SharingEndpoint } from './shared-messages.ts';

const fileOf = (folder: string): string => join(folder, 'holder.json');

/** Publishes the address for other processes of the same user. */
export function writeSharingEndpoint(folder: string, endpoint: SharingEndpoint): void {
  const draft = `${fileOf(folder)}.${endpoint.pid}`;
  writeFileSync(draft, JSON.stringify(endpoint), { mode: 0o600 });
  renameSync(draft, fileOf(folder));
}

/** Returns the published address; undefined if missing or invalid. */
export function readSharingEndpoint(folder: string): SharingEndpoint | undefined {
  try {
    const { port, token, pid } = JSON.parse(readFileSync(fileOf(folder), 'utf8')) as Partial<SharingEndpoint>;
    if (typeof port !== 'number' || typeof token !== 'string' || typeof pid !== 'number') return undefined;
    return { port, token, pid };
  } catch {
    return undefined;
  }
}

export function removeSharingEndpoint(folder: string): void {
  rmSync(fileOf(folder), { force: true });
}
