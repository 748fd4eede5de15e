import type { FastifyReply } from 'fastify';

/** A page that says one thing. */
export interface MessagePage {
  readonly title: string;
  readonly text: string;
  /** Where to go from here. */
  readonly link: { readonly href: string; readonly label: string };
  /** Whether the browser goes there by itself. */
  readonly isAutomatic?: true;
}

/** Sends a page without script and style, in the words of the reply's status. */
export function sendPage(reply: FastifyReply, { title, text, link, isAutomatic }: MessagePage): FastifyReply {
  const href = escape(link.href);
  const refresh = isAutomatic ? `<meta http-equiv="refresh" content="0;url=${href}">` : '';
  return reply
    .header('cache-control', 'no-store')
    .header('content-security-policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
    .type('text/html; charset=utf-8')
    .send(
      '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
        `<meta name="viewport" content="width=device-width"><title>${escape(title)}</title>${refresh}</head>` +
        `<body><h1>${escape(title)}</h1><p>${escape(text)}</p>` +
        `<p><a href="${href}">${escape(link.label)}</a></p></body></html>\n`,
    );
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
