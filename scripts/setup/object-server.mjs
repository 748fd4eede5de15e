import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './debian-packages.mjs';

/** The daemons of OpenStack Swift, which serves the S3 protocol, too; each is a package of Debian. */
const DAEMONS = ['account', 'container', 'object', 'proxy'];

/**
 * The folder with the programs of the object server that tests run against.
 * @returns {string | undefined}
 */
export function findObjectServer() {
  const folder = '/usr/bin';
  const programs = DAEMONS.map((daemon) => `swift-${daemon}-server`);
  return programs.every((program) => existsSync(join(folder, program))) ? folder : undefined;
}

/** Installs it when it is missing and this may; the tests name what is missing otherwise. */
export async function ensureObjectServer() {
  if (!findObjectServer()) await installPackages(DAEMONS.map((daemon) => `swift-${daemon}`));
}
