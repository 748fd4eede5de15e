import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the Electron to pack comes from. */
export type ElectronSource =
  /** The installed one, in this folder. */
  | { readonly from: 'folder'; readonly folder: string }
  /** electron-builder finds it: the words name a folder, or a platform other than this one. */
  | { readonly from: 'builder' }
  | { readonly from: 'nowhere'; readonly reason: string };

/** Words after which the installed binary, which is of this platform, is not the one to pack. */
const otherWords =
  /^(-c\.electronDist\b|--config\.electronDist\b|--prepackaged|--pd\b|-[mwo]+$|--(mac|macos|win|windows|ia32|x64|armv7l|arm64|universal)$)/;

/**
 * Finds the Electron binary, and fetches it where it is missing: before anything is built, so that a machine without
 * a network says so at once.
 * @param electron folder of the package `electron`
 * @param words for electron-builder
 */
export async function findElectron(electron: string, words: readonly string[]): Promise<ElectronSource> {
  if (words.some((word) => otherWords.test(word))) return { from: 'builder' };
  const folder = join(electron, 'dist');
  if (hasBinary(electron)) return { from: 'folder', folder };
  const reason = await fetchBinary(electron);
  return hasBinary(electron) ? { from: 'folder', folder } : { from: 'nowhere', reason };
}

/** Whether the binary of this version is there; an older one may have stayed when the package was brought up to date. */
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

/** Runs what `npx install-electron` runs. @returns why it failed, in its own words */
function fetchBinary(electron: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(electron, 'install.js')], (error, _stdout, stderr) => {
      const [first = ''] = stderr.split('\n', 1);
      resolve(first || (error?.message ?? 'its installer made no binary'));
    });
  });
}
