import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { DeliveryDetailView, DeliveryView, HookView, WebhookKind } from '../contract/webhook-views.ts';
import { toWebhookConfig, webhookTypes } from '../webhooks/webhook-subscriptions.ts';
import { errorCodes } from '../base/error-codes.ts';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { toHttpError } from './http-error.ts';

/** Returns a hook in the format of this API. `at` returns a URL below the hook. */
export const toWebhookJson = (webhook: HookView, at: (below: string) => string): JsonObject => ({
  type: webhookTypes[webhook.kind],
  id: webhook.id,
  name: 'web',
  active: webhook.active,
  events: [...webhook.events],
  config: toWebhookConfig(webhook),
  created_at: webhook.createdAt,
  updated_at: webhook.updatedAt,
  url: at(''),
  ping_url: at('/pings'),
  deliveries_url: at('/deliveries'),
  ...(webhook.kind === 'repository' && {
    test_url: at('/tests'),
    last_response: { ...webhook.lastResponse },
  }),
});

/** Returns a listed delivery; durations are in seconds. */
export const toDeliveryJson = (delivery: DeliveryView): JsonObject => ({
  id: delivery.id,
  guid: delivery.guid,
  delivered_at: delivery.deliveredAt,
  redelivery: delivery.redelivery,
  duration: delivery.durationMs / 1000,
  status: delivery.status,
  status_code: delivery.statusCode ?? 0,
  event: delivery.event,
  action: delivery.action ?? null,
  installation_id: delivery.installationId ?? null,
  repository_id: delivery.repositoryId ?? null,
  throttled_at: null,
});

/** Returns a delivery with its request and response. */
export const toDeliveryDetailJson = (delivery: DeliveryDetailView): JsonObject => ({
  ...toDeliveryJson(delivery),
  url: delivery.url,
  request: { headers: delivery.request.headers, payload: readPayload(delivery.request) },
  response: {
    headers: delivery.response?.headers ?? {},
    payload: delivery.response?.body ?? '',
  },
});

function readPayload({ headers, body }: DeliveryDetailView['request']): JsonValue {
  const isJson = headers['Content-Type'] === 'application/json';
  return JSON.parse(isJson ? body : (new URLSearchParams(body).get('payload') ?? 'null')) as JsonValue;
}

/** An invalid field of a body. */
export interface BodyProblem {
  readonly field: string;
  readonly code: 'missing_field' | 'invalid' | 'custom';
  readonly message: string;
}

/** Returns a 422 error that lists every problem. */
export const toValidationError = (resource: string, problems: readonly BodyProblem[]): AppError =>
  new AppError('validation_failed', problems.map(({ message }) => message).join(' '), {
    details: { errors: problems.map((problem) => ({ resource, ...problem })) },
  });

/** Sends an error in the format of this API: `{message, errors?, documentation_url, status}`. */
export function sendWebhookApiError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): FastifyReply {
  const { status, message, details } = toResponseError(toHttpError(error, logger), request);
  const errors: JsonValue | undefined = details?.['errors'];
  const retryAfter = details?.['retryAfter'];
  if (typeof retryAfter === 'number') void reply.header('retry-after', String(retryAfter));
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send({
      message,
      ...(Array.isArray(errors) && { errors }),
      documentation_url: 'docs/webhooks.md',
      status: String(status),
    });
}

interface Described {
  readonly status: number;
  readonly message: string;
  readonly details: JsonObject | undefined;
}

/** Describes an error; an invalid token has GitHub's message. */
function toResponseError({ code, message, details }: AppError, request: FastifyRequest): Described {
  if (code === 'unauthorized') {
    const isGiven = request.headers.authorization !== undefined;
    return { status: 401, message: isGiven ? 'Bad Credentials' : 'Requires authentication', details };
  }
  // A schema violation of an operation is an invalid field.
  if (code === 'bad_request' && typeof details?.['field'] === 'string')
    return {
      status: 422,
      message: `Validation Failed: ${message}`,
      details: { errors: [{ resource: 'Hook', field: details['field'], code: 'invalid', message }] },
    };
  if (code === 'validation_failed') return { status: 422, message: `Validation Failed: ${message}`, details };
  return { status: errorCodes[code].http, message, details };
}

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

/** A kind of hook owner, with the paths of its hooks. */
export interface WebhookTarget {
  readonly kind: WebhookKind;
  /** Path prefix of its hooks; `:owner` and `:repo` are its name. */
  readonly prefix: string;
  /** There is a single hook at `/hook`: of the only app, or of the app in `?slug=`. */
  readonly hasSingleWebhook?: true;
}

/** Hook paths by kind of owner. */
export const webhookTargets: readonly WebhookTarget[] = [
  { kind: 'repository', prefix: '/repos/:owner/:repo' },
  { kind: 'organization', prefix: '/orgs/:owner' },
  { kind: 'enterprise', prefix: '/enterprises/:owner' },
  { kind: 'app', prefix: '/apps/:owner' },
  { kind: 'app', prefix: '/app', hasSingleWebhook: true },
  { kind: 'marketplace', prefix: '/marketplace_listings/:owner' },
  { kind: 'sponsored', prefix: '/sponsors/:owner' },
];

/** Path parameters of these. */
export interface TargetParams {
  readonly owner?: string;
  readonly repo?: string;
  readonly hookId?: string;
  readonly deliveryId?: string;
}

/** Returns the owner name of a path. */
export const getOwner = ({ owner = '', repo }: TargetParams): string =>
  repo === undefined ? owner : `${owner}/${repo}`;
