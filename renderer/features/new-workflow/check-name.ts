import { dagNamePattern } from '../../../core/base/ids.ts';

const fits = new RegExp(dagNamePattern);
const maxLength = 40;

/** Returns why the name of a new workflow file is invalid (core/base/ids.ts); undefined if it is valid. */
export function checkName(name: string, taken: ReadonlySet<string>): string | undefined {
  if (name === '') return 'Enter a name.';
  const invalidCharacter = /[^A-Za-z0-9_.-]/u.exec(name)?.[0];
  if (invalidCharacter !== undefined)
    return `Invalid character: ${invalidCharacter === ' ' ? 'space' : `"${invalidCharacter}"`}. Use only letters, digits, ".", "_" and "-".`;
  if (name.length > maxLength) return `Name too long: ${name.length} characters. Maximum: ${maxLength}.`;
  if (!fits.test(name)) return 'Use only letters, digits, ".", "_" and "-".';
  if (name.startsWith('.')) return 'A name cannot start with ".".';
  if (/\.ya?ml$/i.test(name)) return 'Leave out the extension ".yaml".';
  if (taken.has(name)) return `Workflow "${name}" already exists. Choose another name.`;
  return undefined;
}

/** Returns the requested name, with the first free number appended if it is taken. */
export function uniqueFileName(baseName: string, taken: ReadonlySet<string>): string {
  const stem = baseName.replace(/-\d{1,2}$/, '');
  let free = baseName;
  for (let number = 2; taken.has(free); number += 1) {
    const ending = `-${number}`;
    free = stem.slice(0, maxLength - ending.length) + ending;
  }
  return free;
}
