import childProcess from 'node:child_process';
import path from 'node:path';
import { registerHooks, syncBuiltinESMExports } from 'node:module';

/** The Electron release whose API the stand-in follows. */
export const ELECTRON_VERSION = '45.3.4';

const OWN_MODULES = new Set(['electron', 'electron/main', 'electron/common']);

/** Makes `import` and `require` of `electron` in this process return the stand-in's module. */
export function redirectElectronImports(moduleUrl: string): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      OWN_MODULES.has(specifier)
        ? { url: moduleUrl, format: 'module-typescript', shortCircuit: true }
        : next(specifier, context),
  });
}

/**
 * Gives `process` the properties it has in Electron's main process. `execPath` is the Electron executable
 * there, so a program that starts `process.execPath` with a script gets a second application unless it sets
 * ELECTRON_RUN_AS_NODE; that must fail here as well.
 * @param executable the executable that was started
 * @param isPackaged whether it has its application next to it
 */
export function presentAsElectron(executable: string, args: readonly string[], isPackaged: boolean): void {
  process.argv = [executable, ...args];
  process.execPath = executable;
  Object.defineProperty(process, 'type', { value: 'browser' });
  Object.defineProperty(process, 'versions', {
    value: { ...process.versions, electron: ELECTRON_VERSION, chrome: '0' },
    configurable: true,
    writable: true,
  });
  if (!isPackaged) Object.defineProperty(process, 'defaultApp', { value: true });
  Object.defineProperty(process, 'resourcesPath', {
    value: path.join(path.dirname(executable), 'resources'),
  });
  forkAsNode();
}

/** Sets the version of the browser once it is known. */
export function setChromeVersion(version: string): void {
  Object.assign(process.versions, { chrome: version });
}

/** Electron sets ELECTRON_RUN_AS_NODE for `child_process.fork` automatically, and only for that. */
function forkAsNode(): void {
  const original = childProcess.fork;
  const fork = (file: string, ...rest: unknown[]): childProcess.ChildProcess => {
    const args = Array.isArray(rest[0]) ? (rest[0] as string[]) : [];
    const options = (Array.isArray(rest[0]) ? rest[1] : rest[0]) as childProcess.ForkOptions | undefined;
    const env = { ...(options?.env ?? process.env), ELECTRON_RUN_AS_NODE: '1' };
    return original(file, args, { ...options, env });
  };
  Object.assign(childProcess, { fork });
  syncBuiltinESMExports();
}
