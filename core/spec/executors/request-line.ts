/** The method and the address of a request, or what is wrong with the text for them. */
export type RequestLine = { readonly method: string; readonly url: string } | { readonly fault: string };

/** Characters of a token (RFC 9110, 5.6.2). */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Reads `METHOD URL`. The URL is looked at only as far as its scheme and host. */
export function readRequestLine(text: string): RequestLine {
  const [method = '', ...rest] = text.trim().split(/\s+(.*)/s);
  const url = rest.join('').trim();
  if (url === '') {
    const hint = /^https?:/i.test(method)
      ? `Write "GET ${method}".`
      : 'Write both, as in GET https://example.com/.';
    return { fault: `"command" must be a method and a URL. ${hint}` };
  }
  if (!token.test(method))
    return { fault: `"${method.slice(0, 40)}" is no HTTP method. Write one such as GET or POST.` };
  if (!/^https?:\/\/[^/?#\s]/i.test(url)) {
    return {
      fault: `"${url.slice(0, 200)}" is no URL of a web server. It must begin with http:// or https:// and a host.`,
    };
  }
  return { method: method.toUpperCase(), url };
}
