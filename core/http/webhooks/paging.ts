import type { FastifyReply, FastifyRequest } from 'fastify';
import { toValidationError } from './error-json.ts';

const usualPageSize = 30;
const maxPageSize = 100;

/** A requested page of a list. */
export interface PageQuery {
  readonly perPage: number;
  /** From 1. */
  readonly page: number;
  readonly cursor: string | undefined;
  readonly status: string | undefined;
}

/** Parses `per_page`, `page`, `cursor` and `status`. Throws `validation_failed`. */
export function readPage(request: FastifyRequest): PageQuery {
  const query = new URL(request.url, 'http://localhost').searchParams;
  return {
    perPage: Math.min(maxPageSize, readNumber(query, 'per_page', usualPageSize)),
    page: readNumber(query, 'page', 1),
    cursor: query.get('cursor') ?? undefined,
    status: query.get('status') ?? undefined,
  };
}

function readNumber(query: URLSearchParams, field: string, usual: number): number {
  const text = query.get(field);
  if (text === null) return usual;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw toValidationError('Hook', [
    {
      field,
      code: 'invalid',
      message: `"${field}" must be a number of at least 1 (got ${JSON.stringify(text)}).`,
    },
  ]);
}

/** Adds the link to the next page (RFC 8288). */
export function addNextLink(
  reply: FastifyReply,
  at: string,
  query: Readonly<Record<string, string | number>>,
): void {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  void reply.header('link', `<${at}?${parameters.toString()}>; rel="next"`);
}
