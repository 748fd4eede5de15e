// A file of its own: the API and the router need it.

const moduleUrl: string = import.meta.url;

/**
 * Returns the URL of the app's root with a trailing slash: `https://example.org/flows/`. The page's own URL may be
 * deeper: `/flows/dags/etl`. Modules are one directory below the root, in the build and in development.
 */
export function appRoot(): URL {
  const root = new URL('..', moduleUrl);
  const isSameOrigin = root.protocol === location.protocol && root.host === location.host;
  return isSameOrigin ? root : new URL('/', location.href);
}
