/** A page, as shown by a browser. */
export interface VisiblePage {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

/**
 * The parts of a browser that signing in needs: cookies by host, path and expiry, redirects, refreshes and
 * forms. Cookies of a host apply to all its ports, as in real ones.
 */
export class TestBrowser {
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>();
  /** Every requested URL, in order. */
  readonly visited: string[] = [];
  /** Called before a URL is requested; may change it. */
  detour: (url: string) => string = (url) => url;

  /** Names of the stored cookies. */
  get cookieNames(): string[] {
    return [...this.#cookies.keys()];
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, { value, path: '/' });
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name)?.value;
  }

  /** Requests a URL and follows all redirects. */
  async open(address: string, init: RequestInit = {}): Promise<VisiblePage> {
    let url = this.detour(address);
    let request = init;
    for (let steps = 0; steps < 20; steps += 1) {
      this.visited.push(url);
      const response = await this.fetch(url, request);
      const text = await response.text();
      const next =
        response.headers.get('location') ?? /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)?.[1];
      if (next === undefined) return { url, status: response.status, text };
      url = this.detour(new URL(next.replaceAll('&amp;', '&'), url).href);
      request = {};
    }
    throw new Error(`${address} leads nowhere: ${this.visited.join(' ')}`);
  }

  /** Fills in the sign-in form of the test provider. */
  signIn(page: VisiblePage, login: string): Promise<VisiblePage> {
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1];
    if (action === undefined) throw new Error(`there is no form at ${page.url}: ${page.text.slice(0, 500)}`);
    return this.open(new URL(action, page.url).href, {
      method: 'POST',
      body: new URLSearchParams({ prompt: 'login', login, password: 'any' }),
    });
  }

  /** One request with the cookies of the URL, and the headers of a navigation. */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url);
    const sent = [...this.#cookies].filter(([, { path }]) => pathname.startsWith(path));
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: {
        accept: 'text/html',
        cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; '),
        ...(init.headers as Record<string, string> | undefined),
      },
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const path = /; *path=([^;]*)/i.exec(line)?.[1] ?? '/';
    const isGone = /; *max-age=0|; *expires=Thu, 01 Jan 1970/i.test(line);
    if (isGone) this.#cookies.delete(name);
    else this.#cookies.set(name, { value, path });
  }
}
