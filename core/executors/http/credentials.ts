/**
 * Whether a header field is likely to hold a credential: the standard ones, and names that say so. Such a field is
 * kept from other servers on a redirect and from the log.
 */
export const isCredential = (name: string): boolean =>
  /auth|cookie|token|secret|password|session|(?:^|[-_])key$|apikey/i.test(name);

/** The URL without its user and password. */
export function showUrl(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href;
}

/** The value of an `Authorization` field for the user and password of a URL; undefined when it has none. */
export function basicAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const pair = `${decode(username)}:${decode(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** A percent sign that encodes nothing stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
