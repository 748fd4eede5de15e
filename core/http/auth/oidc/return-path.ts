/**
 * Where somebody wanted to go: a path as the browser has it, below the prefix of this server. Anything that could lead
 * elsewhere becomes its start.
 * @param wanted path, query and fragment, as they came in an address
 * @param prefix empty, or such as `/flows`
 */
export function toReturnPath(wanted: unknown, prefix: string): string {
  const start = `${prefix}/`;
  if (typeof wanted !== 'string' || wanted.length > 2000) return start;
  const base = 'http://server.invalid';
  // Browsers take `\` for `/`, leave out line ends and tabs, and undo `/./`.
  if (!wanted.startsWith('/') || !URL.canParse(wanted, base)) return start;
  const { origin, pathname, search, hash } = new URL(wanted, base);
  const isHere = origin === base && pathname.startsWith(start) && !pathname.startsWith('//');
  return isHere ? pathname + search + hash : start;
}
