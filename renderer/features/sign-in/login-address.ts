/**
 * Where a login at an identity provider begins, with the way back.
 * @param path of the login on this server
 * @param page the address of the page
 * @param hash where to come back to; by default where the page is
 */
export function findLoginAddress(
  path: string,
  page: Pick<Location, 'pathname' | 'search' | 'hash'>,
  hash: string = page.hash,
): string {
  const back = new URLSearchParams({ returnTo: page.pathname + page.search + hash });
  return `${path}?${back}`;
}
