/**
 * Whether a header field probably contains a credential, by standard and common names. These fields are not sent to
 * other servers on a redirect, and not logged.
 */
export const isCredential = (name: string): boolean =>
  /auth|cookie|token|secret|password|session|(?:^|[-_])key$|apikey/i.test(name);

/** Returns the URL without its user name and password. */
export function redactUrl(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href;
}

/** Returns an `Authorization` field for the user name and password of a URL, or undefined if it has none. */
export function basicAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const pair = `${decode(username)}:${decode(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** Decodes percent escapes. An invalid escape is left as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
