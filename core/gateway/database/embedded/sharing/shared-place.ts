import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SharingEndpoint } from './shared-messages.ts';

const fileOf = (folder: string): string => join(folder, 'holder.json');

/** Publishes the address for other processes of the same user. */
export function writeSharedPlace(folder: string, place: SharingEndpoint): void {
  const draft = `${fileOf(folder)}.${place.pid}`;
  writeFileSync(draft, JSON.stringify(place), { mode: 0o600 });
  renameSync(draft, fileOf(folder));
}

/** Returns the published address; undefined if missing or invalid. */
export function readSharedPlace(folder: string): SharingEndpoint | undefined {
  try {
    const { port, token, pid } = JSON.parse(readFileSync(fileOf(folder), 'utf8')) as Partial<SharingEndpoint>;
    if (typeof port !== 'number' || typeof token !== 'string' || typeof pid !== 'number') return undefined;
    return { port, token, pid };
  } catch {
    return undefined;
  }
}

export function removeSharedPlace(folder: string): void {
  rmSync(fileOf(folder), { force: true });
}
