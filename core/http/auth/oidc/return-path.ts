/**
 * Returns the path to return to, below the prefix of this server. Anything that could lead to another site becomes the
 * start page.
 * @param returnTo path, query and fragment of a URL
 * @param prefix empty, or for example `/flows`
 */
export function toReturnPath(returnTo: unknown, prefix: string): string {
  const start = `${prefix}/`;
  if (typeof returnTo !== 'string' || returnTo.length > 2000) return start;
  const base = 'http://server.invalid';
  // Browsers treat `\` like `/`, remove newlines and tabs, and resolve `/./`.
  if (!returnTo.startsWith('/') || !URL.canParse(returnTo, base)) return start;
  const { origin, pathname, search, hash } = new URL(returnTo, base);
  const isHere = origin === base && pathname.startsWith(start) && !pathname.startsWith('//');
  return isHere ? pathname + search + hash : start;
}
