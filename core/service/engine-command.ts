import path from 'node:path';
import type { EngineCommand } from './service-facts.ts';

/** What is looked at of the process that the command belongs to. */
export interface OwnProgram {
  /** `process.execPath`. */
  readonly execPath: string;
  /** The built launcher of the command, `out/cli/engine.js` of the installation; absolute. */
  readonly launcher: string;
  /** Whether `execPath` is Electron rather than Node. */
  readonly isElectron: boolean;
  /** `$APPIMAGE`: the file that a running AppImage was started from. */
  readonly appImage?: string | undefined;
}

/**
 * An AppImage is mounted in another place each time, so its launcher is found from the program that runs. Words follow
 * as they would after a script.
 */
const launchFromMount =
  'const p=require("node:path"),f=p.join(p.dirname(process.execPath),"resources/app.asar/out/cli/engine.js");process.argv.splice(1,0,f);import(require("node:url").pathToFileURL(f).href)';

/** The command that starts `engine` of this installation later, without the app. */
export function describeEngineCommand({
  execPath,
  launcher,
  isElectron,
  appImage,
}: OwnProgram): EngineCommand {
  if (!isElectron) return { program: execPath, args: [launcher], environment: {} };
  const environment = { ELECTRON_RUN_AS_NODE: '1' };
  if (appImage !== undefined && path.isAbsolute(appImage))
    return { program: appImage, args: ['-e', launchFromMount, '--'], environment };
  return { program: execPath, args: [launcher], environment };
}
