import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The binary that runs the specs. */
export type ChosenBinary =
  | {
      /** The executable's directory, for `ELECTRON_OVERRIDE_DIST_PATH`. */
      readonly folder: string;
      /** Why it was chosen. */
      readonly reason: string;
    }
  | { readonly missing: string };

/** The variable that selects another binary. */
export const binaryVariable = 'ELECTRON_BINARY';

/** Name of the executable in Electron's `dist`, as in the package `electron`. */
const executables: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/**
 * Chooses the binary: that of `ELECTRON_BINARY`, an executable or its directory, or the installed one.
 * @param electron directory of the package `electron`
 */
export function chooseBinary(
  electron: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): ChosenBinary {
  const executable = executables[platform] ?? 'electron';
  const named = env[binaryVariable];
  if (named) return chooseNamed(resolve(named), executable);
  const pointer = join(electron, 'path.txt');
  const folder = join(electron, 'dist');
  if (existsSync(pointer) && existsSync(join(folder, readFileSync(pointer, 'utf8').trim())))
    return { folder, reason: 'it is installed' };
  return {
    missing: [
      'The Electron binary is not installed, so no spec was run.',
      'On a machine with a network, run: npx install-electron',
      `Or name one that is elsewhere: ${binaryVariable}=PATH npm run e2e:electron`,
    ].join('\n'),
  };
}

function chooseNamed(named: string, executable: string): ChosenBinary {
  const reason = `${binaryVariable} says so`;
  if (!existsSync(named))
    return { missing: `${binaryVariable} names ${named}, which does not exist, so no spec was run.` };
  if (!statSync(named).isDirectory()) {
    const folder = executable.split('/').reduce((path) => dirname(path), named);
    if (join(folder, executable) === named) return { folder, reason };
  } else if (existsSync(join(named, executable))) return { folder: named, reason };
  return {
    missing: `${binaryVariable} names ${named}, which is no ${executable} nor a folder that holds one, so no spec was run.`,
  };
}
