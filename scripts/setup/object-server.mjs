import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './debian-packages.mjs';

/** The daemons of OpenStack Swift, which also serves the S3 protocol; each is a Debian package. */
const DAEMONS = ['account', 'container', 'object', 'proxy'];

/**
 * Returns the directory with the programs of the object server for tests.
 * @returns {string | undefined}
 */
export function findObjectServer() {
  const folder = '/usr/bin';
  const programs = DAEMONS.map((daemon) => `swift-${daemon}-server`);
  return programs.every((program) => existsSync(join(folder, program))) ? folder : undefined;
}

/** Installs it if it is missing and that is possible; otherwise the tests name what is missing. */
export async function ensureObjectServer() {
  if (!findObjectServer()) await installPackages(DAEMONS.map((daemon) => `swift-${daemon}`));
}
