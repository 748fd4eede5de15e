/**
 * Returns the address where a login at an identity provider starts, including the return address.
 * @param path path of the login on this server
 * @param page address of the page
 * @param hash where to return to; the current page by default
 */
export function findLoginAddress(
  path: string,
  page: Pick<Location, 'pathname' | 'search' | 'hash'>,
  hash: string = page.hash,
): string {
  const back = new URLSearchParams({ returnTo: page.pathname + page.search + hash });
  return `${path}?${back}`;
}
