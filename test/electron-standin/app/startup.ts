import { startBrowser } from '../browser/running-browser.ts';
import { app } from './app.ts';
import { switches } from './command-line.ts';
import { ElectronEvent } from './electron-event.ts';
import { becomeReady, lifecycle } from './lifecycle.ts';
import { getLaunchContext } from '../launch/launch-context.ts';

/**
 * Starts the browser and emits `ready`, as Electron does: only after the main file has been evaluated,
 * including its top-level awaits.
 * @param evaluated settles when the main file has run; its failure is reported by the caller
 */
export async function startApplication(evaluated: Promise<unknown>): Promise<void> {
  if (!(await settlesWell(evaluated)) || lifecycle.exiting) return;
  await startBrowser({
    switches,
    storageFolder: app.getPath('sessionData'),
    announceDevTools: getLaunchContext().announceDevTools,
    onUnexpectedExit(report) {
      if (lifecycle.exiting) return;
      process.stderr.write(`electron stand-in: ${report}\n`);
      app.exit(1);
    },
  });
  if (lifecycle.exiting) return;
  becomeReady();
  app.emit('ready', new ElectronEvent(), {});
}

function settlesWell(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}
