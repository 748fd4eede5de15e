import { mkdirSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { app, dialog, protocol } from 'electron';
import { getErrorMessage } from '../core/base/errors.ts';
import { startCompileCache } from '../core/process/compile-cache.ts';
import { resolveHome } from '../core/home/config/home.ts';
import { rollbackRestore } from '../core/home/config/interrupted-restore.ts';
import { createOpenEventQueue } from './launch-args.ts';
import { appScheme } from './app-scheme.ts';

// Electron launches its browser process after this module has been evaluated, so the module is small and the
// engine loads in parallel.

const home = resolveHome(process.env, readHomeFlag(process.argv));
const userData = path.join(home, 'desktop');

const openings = createOpenEventQueue(app);

// `ready` fires only after this module has been evaluated, so nothing here may wait for it.
try {
  start();
} catch (error) {
  failToStart(error);
}

function start(): void {
  rollbackRestore(home);
  mkdirSync(userData, { recursive: true, mode: 0o700 });
  // One instance per home directory: Electron's lock belongs to the user data directory.
  app.setPath('userData', userData);
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([appScheme]);
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  startCompileCache(process.env);
  app.once('will-quit', () => flushCompileCache());
  Promise.all([import('./boot.ts'), app.whenReady()])
    .then(([{ boot }]) => boot(home, openings))
    .catch(failToStart);
}

/** Returns the home directory from the command line, `--engine-home DIR` or `--engine-home=DIR`. */
function readHomeFlag(argv: readonly string[]): string | undefined {
  const flag = '--engine-home';
  const joined = argv.find((argument) => argument.startsWith(`${flag}=`));
  if (joined !== undefined) return joined.slice(flag.length + 1);
  const index = argv.indexOf(flag);
  return index < 0 ? undefined : argv[index + 1];
}

/**
 * Nothing works without an engine: reports the reason in the system's own dialog and exits without changing any
 * state.
 */
function failToStart(error: unknown): void {
  dialog.showErrorBox('Stepwright cannot start', `${getErrorMessage(error)}\n\nHome: ${home}`);
  app.exit(1);
}
