import { readdirSync } from 'node:fs';

const ending = /\.ya?ml$/;

/** Names of the workflow files that a folder has now, of those that cannot be read as well. */
export function listNames(folder: string): Set<string> {
  try {
    const files = readdirSync(folder).filter((file) => ending.test(file) && !file.startsWith('.'));
    return new Set(files.map((file) => file.replace(ending, '')));
  } catch {
    return new Set();
  }
}
