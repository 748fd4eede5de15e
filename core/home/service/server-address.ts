import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';

/** The server that serves a home. */
interface ServerAddress {
  readonly url: string;
  readonly pid: number;
  readonly hostname: string;
}

const getFile = (dataDir: string): string => path.join(dataDir, 'server.json');

/** Records the server of this process as the one that serves the home, for other processes. The newest one wins. */
export function writeServerAddress(dataDir: string, url: string): void {
  const address: ServerAddress = { url, pid: process.pid, hostname: hostname() };
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(getFile(dataDir), JSON.stringify(address), { mode: 0o600 });
}

/** Removes the record of this process. */
export function removeServerAddress(dataDir: string): void {
  if (readFile(dataDir)?.pid === process.pid) rmSync(getFile(dataDir), { force: true });
}

/** Returns the URL of the running server of the home on this machine. A server that was killed does not count. */
export function readServerAddress(dataDir: string): string | undefined {
  const address = readFile(dataDir);
  return address?.hostname === hostname() && isAlive(address.pid) ? address.url : undefined;
}

function readFile(dataDir: string): ServerAddress | undefined {
  try {
    return JSON.parse(readFileSync(getFile(dataDir), 'utf8')) as ServerAddress;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
