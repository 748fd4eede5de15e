import { dagNamePattern } from '../../../core/base/ids.ts';

const fits = new RegExp(dagNamePattern);
const longest = 40;

/** What is wrong with the name of a new workflow's file (core/base/ids.ts), as a sentence; undefined when nothing is. */
export function checkName(name: string, taken: ReadonlySet<string>): string | undefined {
  if (name === '') return 'Give the workflow a name.';
  const misfit = /[^A-Za-z0-9_.-]/u.exec(name)?.[0];
  if (misfit !== undefined)
    return `${misfit === ' ' ? 'A space' : `"${misfit}"`} cannot be in a name: letters A-Z, digits, "_", "." and "-" can.`;
  if (name.length > longest) return `A name has at most ${longest} characters; this one has ${name.length}.`;
  if (!fits.test(name)) return 'Letters A-Z, digits, "_", "." and "-" can be in a name.';
  if (name.startsWith('.'))
    return 'A file whose name begins with "." would be hidden. Begin with something else.';
  if (/\.ya?ml$/i.test(name)) return 'The file gets its ending ".yaml" by itself. Leave it out.';
  if (taken.has(name)) return `There is a workflow "${name}" already. Choose another name.`;
  return undefined;
}

/** The wanted name; when it is taken, with the first number behind it that is free. */
export function chooseFreeName(wanted: string, taken: ReadonlySet<string>): string {
  const stem = wanted.replace(/-\d{1,2}$/, '');
  let free = wanted;
  for (let number = 2; taken.has(free); number += 1) {
    const ending = `-${number}`;
    free = stem.slice(0, longest - ending.length) + ending;
  }
  return free;
}
