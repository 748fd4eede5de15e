import path from 'node:path';
import type { EngineCommand } from './service-info.ts';

/** Properties of the process that the command belongs to. */
export interface EngineProgram {
  /** `process.execPath`. */
  readonly execPath: string;
  /** Absolute path of the built launcher in the installation, `out/cli/engine.js`. */
  readonly launcher: string;
  /** Whether `execPath` is Electron and not Node. */
  readonly isElectron: boolean;
  /** `$APPIMAGE`: file of the running AppImage. */
  readonly appImage?: string | undefined;
}

/**
 * An AppImage is mounted at a different path each time, so its launcher is located relative to the running program.
 * Arguments follow as after a script.
 */
const launchFromMount =
  'const p=require("node:path"),f=p.join(p.dirname(process.execPath),"resources/app.asar/out/cli/engine.js");process.argv.splice(1,0,f);import(require("node:url").pathToFileURL(f).href)';

/** Returns the command that starts `engine` of this installation without the app. */
export function describeEngineCommand({
  execPath,
  launcher,
  isElectron,
  appImage,
}: EngineProgram): EngineCommand {
  if (!isElectron) return { program: execPath, args: [launcher], environment: {} };
  const environment = { ELECTRON_RUN_AS_NODE: '1' };
  if (appImage !== undefined && path.isAbsolute(appImage))
    return { program: appImage, args: ['-e', launchFromMount, '--'], environment };
  return { program: execPath, args: [launcher], environment };
}
