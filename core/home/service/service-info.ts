import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';

/** How to start the `engine` command of this installation. */
export interface EngineCommand {
  /** Absolute path, or a name on PATH. */
  readonly program: string;
  /** Arguments before those of the command. */
  readonly args: readonly string[];
  /** Environment that makes the program `engine`, for example `ELECTRON_RUN_AS_NODE`. */
  readonly environment: Readonly<Record<string, string>>;
}

export type ServicePlatform = 'linux' | 'darwin' | 'win32';

/** Parameters of a home's service. All paths are absolute. */
export interface ServiceInfo {
  readonly platform: ServicePlatform;
  /** The home of the service. */
  readonly home: string;
  /** Whether it is the default home; the service names of other homes have a suffix. */
  readonly isUsualHome: boolean;
  /** `--config`, if set. */
  readonly configFile?: string | undefined;
  readonly engine: EngineCommand;
  /** The user's home directory. */
  readonly userFolder: string;
  /** `$XDG_CONFIG_HOME`, else `~/.config`; used only on Linux. */
  readonly configFolder: string;
  /** User id for launchd; 0 if there is none. */
  readonly userId: number;
  /** `DOMAIN\name`, for the task scheduler. */
  readonly userName: string;
  /** Environment of the service, in addition to the system's. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A command of the service manager; if `mayFail` is set, a failure is ignored. */
export interface ManagerCommand {
  readonly argv: readonly string[];
  readonly mayFail?: true;
}

/** Definition of a service, and the commands for the service manager. */
export interface ServicePlan {
  readonly manager: 'systemd' | 'launchd' | 'task scheduler';
  /** Name in the service manager. */
  readonly name: string;
  /** Path of the definition, which is read by the manager or its registration command. */
  readonly file: string;
  readonly text: string;
  /** Encoding of `file`. */
  readonly encoding: 'utf8' | 'utf16le';
  readonly install: readonly ManagerCommand[];
  readonly start: readonly ManagerCommand[];
  readonly stop: readonly ManagerCommand[];
  /** Commands before and after the file is removed. */
  readonly uninstall: readonly ManagerCommand[];
  readonly forget: readonly ManagerCommand[];
  readonly query: readonly string[];
  /** Parses the result of `query`; `exitCode` is null if the manager could not be started. */
  parseState(answer: ManagerOutput): ServiceState;
}

export interface ManagerOutput {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly error?: string | undefined;
}

/** State of a service in the manager. */
export interface ServiceState {
  readonly isKnown: boolean;
  readonly isEnabled: boolean;
  readonly isRunning: boolean;
  /** Why the state is unknown. */
  readonly problem?: string | undefined;
}

/** Returns the command line of a service. */
export function serviceArgs({ engine, home, configFile }: ServiceInfo): readonly string[] {
  const config = configFile === undefined ? [] : ['--config', configFile];
  return [...engine.args, '--engine-home', home, ...config, 'start-all'];
}

/** Returns the environment of a service, sorted by name. */
export const serviceVariables = ({ engine, environment }: ServiceInfo): readonly [string, string][] =>
  Object.entries({ ...environment, ...engine.environment }).sort(([a], [b]) => (a < b ? -1 : 1));

/** Returns the name suffix of a home's service: empty for the default home, otherwise a hash of its path. */
export function homeSuffix({ home, isUsualHome }: Pick<ServiceInfo, 'home' | 'isUsualHome'>): string {
  return isUsualHome ? '' : `-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`;
}

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
