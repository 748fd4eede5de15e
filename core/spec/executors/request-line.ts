/** The method and URL of a request, or an error message. */
export type RequestLine = { readonly method: string; readonly url: string } | { readonly fault: string };

/** Characters of a token (RFC 9110, 5.6.2). */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Parses `METHOD URL`. Only the scheme and host of the URL are validated. */
export function readRequestLine(text: string): RequestLine {
  const [method = '', ...rest] = text.trim().split(/\s+(.*)/s);
  const url = rest.join('').trim();
  if (url === '') {
    const hint = /^https?:/i.test(method) ? `Write "GET ${method}".` : 'Example: GET https://example.com/.';
    return { fault: `"command" must be a method and a URL. ${hint}` };
  }
  if (!token.test(method))
    return { fault: `Unknown HTTP method "${method.slice(0, 40)}". Use a method such as GET or POST.` };
  if (!/^https?:\/\/[^/?#\s]/i.test(url)) {
    return {
      fault: `Invalid URL "${url.slice(0, 200)}". Use an absolute URL with http:// or https://.`,
    };
  }
  return { method: method.toUpperCase(), url };
}
