import { barePathPattern, bracedNamePattern, matchAt, pathPattern } from '../parse-template.ts';
import type { ShellReference } from './scan-shell-text.ts';

/** Does not match `:-2`, which is a default value. */
const slicePattern = /:(?:[0-9]+|[ \t]+-?[0-9]+)(?::[ \t]*-?[0-9]+)?(?=\})/y;
const defaultPattern = /:[-=+?]/y;
const bareNamePattern = /[A-Za-z_][A-Za-z0-9_]*/y;

/** Parses `${NAME.path…` or `${NAME:offset:length…`. Returns undefined if only the shell can expand it. */
export function readBracedReference(text: string, position: number): ShellReference | undefined {
  const name = matchAt(bracedNamePattern, text, position + 2);
  if (name === undefined) return undefined;
  const afterName = position + 2 + name.length;
  const path = matchAt(pathPattern, text, afterName) ?? '';
  const afterPath = afterName + path.length;
  const slice = matchAt(slicePattern, text, afterPath) ?? '';
  if (path === '' && slice === '') return undefined;
  if (text[afterPath] !== '}' && text[afterPath] !== ':') return undefined;
  const hasDefault = matchAt(defaultPattern, text, afterPath) !== undefined;
  const written = text.slice(position, afterPath + slice.length);
  return { kind: 'reference', written, name, path, slice, hasDefault, braced: true };
}

/** Parses `$NAME.path`. Positional parameters are left to the shell, because a function has its own. */
export function readBareReference(text: string, position: number): ShellReference | undefined {
  const name = matchAt(bareNamePattern, text, position + 1);
  if (name === undefined) return undefined;
  const path = matchAt(barePathPattern, text, position + 1 + name.length);
  if (path === undefined) return undefined;
  const written = `$${name}${path}`;
  return { kind: 'reference', written, name, path, slice: '', hasDefault: false, braced: false };
}
