import type { FastifyReply } from 'fastify';
import { escapeMarkup } from '../../../base/text/escape-markup.ts';

/** A page with a single message. */
export interface MessagePage {
  readonly title: string;
  readonly text: string;
  /** Link to continue. */
  readonly link: { readonly href: string; readonly label: string };
  /** Whether the browser follows the link automatically. */
  readonly isAutomatic?: true;
}

/** Sends a page without scripts and styles, titled by the status of the reply. */
export function sendPage(reply: FastifyReply, { title, text, link, isAutomatic }: MessagePage): FastifyReply {
  const href = escapeMarkup(link.href);
  const refresh = isAutomatic ? `<meta http-equiv="refresh" content="0;url=${href}">` : '';
  return reply
    .header('cache-control', 'no-store')
    .header('content-security-policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
    .type('text/html; charset=utf-8')
    .send(
      '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
        `<meta name="viewport" content="width=device-width"><title>${escapeMarkup(title)}</title>${refresh}</head>` +
        `<body><h1>${escapeMarkup(title)}</h1><p>${escapeMarkup(text)}</p>` +
        `<p><a href="${href}">${escapeMarkup(link.label)}</a></p></body></html>\n`,
    );
}
