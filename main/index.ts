import path from 'node:path';
import { app, protocol } from 'electron';
import { resolveHome } from '../core/index.ts';
import { boot } from './boot.ts';
import { appScheme } from './windows/app-scheme.ts';

// `ready` comes only after this module has been evaluated, so nothing here may wait for it.
const home = resolveHome(process.env, readHomeFlag(process.argv));
// One instance a home: Electron's lock belongs to the user data folder (DESIGN D2).
app.setPath('userData', path.join(home, 'desktop'));
app.enableSandbox();
protocol.registerSchemesAsPrivileged([appScheme]);
if (app.requestSingleInstanceLock()) {
  app
    .whenReady()
    .then(() => boot(home))
    .catch(failToStart);
} else {
  app.quit();
}

function readHomeFlag(argv: readonly string[]): string | undefined {
  const index = argv.indexOf('--engine-home');
  return index < 0 ? undefined : argv[index + 1];
}

/** Nothing works without an engine: say why in the system's own dialog, and leave with the state unchanged. */
async function failToStart(thrown: unknown): Promise<void> {
  const { dialog } = await import('electron');
  dialog.showErrorBox('Stepwright cannot start', thrown instanceof Error ? thrown.message : String(thrown));
  app.exit(1);
}
