import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/stepwright-postgres');
const flags = ['--username=postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8'];

/**
 * Makes the data directory of a server: a copy of the one that the first test with this release has made, which takes a
 * tenth of the time.
 * @param programs the server's, such as `initdb`
 * @param folder must not exist
 * @param asOwner the user that the server runs as
 */
export function placeServerData(programs: string, folder: string, asOwner: ExecFileSyncOptions): void {
  const version = execFileSync(join(programs, 'postgres'), ['--version'], { ...asOwner, encoding: 'utf8' });
  const template = join(CACHE, version.trim().replaceAll(/[^\w.+-]+/g, '-'));
  if (existsSync(template)) return copyWithOwner(template, folder);
  execFileSync(join(programs, 'initdb'), [...flags, '-D', folder], { ...asOwner, stdio: 'pipe' });
  keep(folder, template);
}

function keep(folder: string, template: string): void {
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(`${template}-`);
  try {
    copyWithOwner(folder, join(draft, 'data'));
    renameSync(join(draft, 'data'), template);
  } catch (thrown) {
    // Another process was first.
    if (!existsSync(template)) throw thrown;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Node's own copies belong to whoever makes them. */
const copyWithOwner = (from: string, to: string): void =>
  void execFileSync('cp', ['-a', from, to], { stdio: 'pipe' });
