import fs from 'node:fs';
import path from 'node:path';

/** The fields of an application's package.json that Electron reads. */
export interface ApplicationManifest {
  readonly name?: string;
  readonly productName?: string;
  readonly version?: string;
  readonly main?: string;
}

/** State of this process before any application code runs. */
export interface LaunchContext {
  /** The application's main file, absolute. */
  readonly mainFile: string;
  /** The folder of its package.json, absolute. */
  readonly applicationFolder: string;
  readonly manifest: ApplicationManifest;
  /** Whether it is next to its executable, as in an installed package. */
  readonly isPackaged: boolean;
  /** Open the browser's debugging port and announce it on stderr. */
  readonly announceDevTools: boolean;
}

let current: LaunchContext | undefined;

export function setLaunchContext(context: LaunchContext): void {
  current = context;
}

/** The context of this process, required by the `electron` module. */
export function getLaunchContext(): LaunchContext {
  if (!current) throw new Error('electron stand-in: start it through dist/electron, not by importing it');
  return current;
}

type ResolvedApplication = Omit<LaunchContext, 'announceDevTools' | 'isPackaged'>;

/**
 * The location of the application of a packaged executable. Plain Node reads no archives: here it is an
 * unpacked folder.
 */
export const findPackagedApplication = (executable: string): string =>
  path.join(path.dirname(executable), 'resources', 'app.asar');

/**
 * Resolves an application path.
 * @param target a folder with a package.json, or a main file
 */
export function resolveApplication(target: string): ResolvedApplication {
  const resolved = path.resolve(target);
  if (fs.statSync(resolved).isDirectory()) {
    const manifest = readManifest(resolved);
    return {
      mainFile: path.resolve(resolved, manifest.main ?? 'index.js'),
      applicationFolder: resolved,
      manifest,
    };
  }
  const applicationFolder = findPackageFolder(path.dirname(resolved));
  return { mainFile: resolved, applicationFolder, manifest: readManifest(applicationFolder) };
}

function findPackageFolder(start: string): string {
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, 'package.json'))) return folder;
    if (path.dirname(folder) === folder) return start;
  }
}

function readManifest(folder: string): ApplicationManifest {
  const file = path.join(folder, 'package.json');
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as ApplicationManifest) : {};
}
