import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The source of the Electron binary to package. */
export type ElectronSource =
  /** The installed one, in this directory. */
  | { readonly from: 'folder'; readonly folder: string }
  /** electron-builder finds it: the arguments name a directory or another platform. */
  | { readonly from: 'builder' }
  | { readonly from: 'nowhere'; readonly reason: string };

/** Arguments after which the installed binary, which is for this platform, is not packaged. */
const otherWords =
  /^(-c\.electronDist\b|--config\.electronDist\b|--prepackaged|--pd\b|-[mwo]+$|--(mac|macos|win|windows|ia32|x64|armv7l|arm64|universal)$)/;

/**
 * Finds the Electron binary, or downloads it if it is missing: before the build, so that a machine without a
 * network fails immediately.
 * @param electron directory of the package `electron`
 * @param words arguments for electron-builder
 */
export async function findElectron(electron: string, args: readonly string[]): Promise<ElectronSource> {
  if (args.some((word) => otherWords.test(word))) return { from: 'builder' };
  const folder = join(electron, 'dist');
  if (hasBinary(electron)) return { from: 'folder', folder };
  const reason = await fetchBinary(electron);
  return hasBinary(electron) ? { from: 'folder', folder } : { from: 'nowhere', reason };
}

/**
 * Whether the binary of this version is installed; after an upgrade of the package, an older one may remain.
 */
function hasBinary(electron: string): boolean {
  try {
    const { version } = JSON.parse(readFileSync(join(electron, 'package.json'), 'utf8')) as {
      version: string;
    };
    const binary = readFileSync(join(electron, 'path.txt'), 'utf8').trim();
    const present = readFileSync(join(electron, 'dist/version'), 'utf8').trim().replace(/^v/, '');
    return present === version && existsSync(join(electron, 'dist', binary));
  } catch {
    return false;
  }
}

/** Runs the same script as `npx install-electron`. @returns its error message */
function fetchBinary(electron: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(electron, 'install.js')], (error, _stdout, stderr) => {
      const [first = ''] = stderr.split('\n', 1);
      resolve(first || (error?.message ?? 'its installer made no binary'));
    });
  });
}
