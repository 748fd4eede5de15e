import { readdirSync } from 'node:fs';

const ending = /\.ya?ml$/;

/** Returns the current names of the workflow files in a folder, including unreadable ones. */
export function listNames(folder: string): Set<string> {
  try {
    const files = readdirSync(folder).filter((file) => ending.test(file) && !file.startsWith('.'));
    return new Set(files.map((file) => file.replace(ending, '')));
  } catch {
    return new Set();
  }
}
