import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EngineApi } from '../api/engine-api.ts';
import { AppError } from '../base/errors.ts';
import type { HookView } from '../contract/webhook-views.ts';
import type { OperationInput, OperationName, OperationOutput } from '../contract/operations.ts';
import {
  toDeliveryDetailJson,
  toDeliveryJson,
  toWebhookJson,
  addNextLink,
  readPage,
  toValidationError,
  getOwner,
  type WebhookTarget,
  type TargetParams,
} from './webhook-json.ts';
import { toWebhookConfig } from '../webhooks/webhook-subscriptions.ts';
import { withHeadMethod } from './operation-routes.ts';
import { readConfigChange, readWebhookChange, readNewWebhook } from './read-webhook.ts';

type TargetRequest = FastifyRequest<{ Params: TargetParams }>;

/** Adds a route that calls this operation and requires its role. */
type AddRoute = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  operation: OperationName,
  respond: (request: TargetRequest, reply: FastifyReply) => Promise<unknown>,
) => void;

/** Page size that covers all hooks of an owner. */
const maxWebhooks = 1000;

/** Hook routes of one kind of owner, with the paths and formats of webhook clients. */
export class WebhookRoutes {
  readonly #api: EngineApi;
  readonly #target: WebhookTarget;
  readonly #basePath: string;

  constructor(api: EngineApi, target: WebhookTarget, basePath: string) {
    this.#api = api;
    this.#target = target;
    this.#basePath = basePath;
  }

  register(app: FastifyInstance): void {
    const { prefix, hasSingleWebhook, kind } = this.#target;
    const on: AddRoute = (method, url, operation, respond) =>
      void app.route<{ Params: TargetParams }>({
        method: withHeadMethod(method),
        url,
        config: { operation },
        handler: respond,
      });
    if (hasSingleWebhook) return this.#addHook(on, `${prefix}/hook`);
    const webhooks = `${prefix}/hooks`;
    on('GET', webhooks, 'webhooks.list', (request, reply) => this.#list(request, reply));
    on('POST', webhooks, 'webhooks.create', (request, reply) => this.#create(request, reply));
    on('DELETE', `${webhooks}/:hookId`, 'webhooks.delete', async (request, reply) => {
      await this.#call(request, 'webhooks.delete', { hookId: (await this.#find(request)).id });
      return reply.code(204).send();
    });
    if (kind === 'repository')
      on('POST', `${webhooks}/:hookId/tests`, 'webhooks.test', async (request, reply) => {
        await this.#call(request, 'webhooks.test', { hookId: (await this.#find(request)).id });
        return reply.code(204).send();
      });
    this.#addHook(on, `${webhooks}/:hookId`);
  }

  /** Adds the routes of a single hook. */
  #addHook(on: AddRoute, webhook: string): void {
    const delivery = `${webhook}/deliveries/:deliveryId`;
    on('GET', webhook, 'webhooks.get', async (request) => this.#toJson(request, await this.#find(request)));
    on('PATCH', webhook, 'webhooks.update', (request) => this.#update(request));
    on('GET', `${webhook}/config`, 'webhooks.get', async (request) =>
      toWebhookConfig(await this.#find(request)),
    );
    on('PATCH', `${webhook}/config`, 'webhooks.update', async (request) => {
      const { id } = await this.#find(request);
      const change = readConfigChange(request.body);
      return toWebhookConfig(await this.#call(request, 'webhooks.update', { hookId: id, ...change }));
    });
    on('POST', `${webhook}/pings`, 'webhooks.ping', async (request, reply) => {
      await this.#call(request, 'webhooks.ping', { hookId: (await this.#find(request)).id });
      return reply.code(204).send();
    });
    on('GET', `${webhook}/deliveries`, 'webhooks.deliveries', (request, reply) =>
      this.#deliveries(request, reply),
    );
    on('GET', delivery, 'webhooks.delivery', async (request) =>
      toDeliveryDetailJson(await this.#call(request, 'webhooks.delivery', await this.#getDelivery(request))),
    );
    on('POST', `${delivery}/attempts`, 'webhooks.redeliver', async (request, reply) => {
      await this.#call(request, 'webhooks.redeliver', await this.#getDelivery(request));
      return reply.code(202).send({});
    });
  }

  async #list(request: TargetRequest, reply: FastifyReply) {
    const { perPage, page } = readPage(request);
    const { kind } = this.#target;
    const found = await this.#call(request, 'webhooks.list', {
      kind,
      owner: getOwner(request.params),
      limit: maxWebhooks,
    });
    const webhooks = found.hooks.toReversed();
    const end = page * perPage;
    if (end < webhooks.length) addNextLink(reply, this.#at(request), { per_page: perPage, page: page + 1 });
    return webhooks.slice(end - perPage, end).map((webhook) => this.#toJson(request, webhook));
  }

  async #create(request: TargetRequest, reply: FastifyReply) {
    const { kind } = this.#target;
    const settings = { ...readNewWebhook(request.body, kind), kind, owner: getOwner(request.params) };
    const webhook = await this.#call(request, 'webhooks.create', settings);
    const json = this.#toJson(request, webhook);
    return reply.code(201).header('location', json['url']).send(json);
  }

  async #update(request: TargetRequest) {
    const { id } = await this.#find(request);
    const change = readWebhookChange(request.body);
    return this.#toJson(request, await this.#call(request, 'webhooks.update', { hookId: id, ...change }));
  }

  async #deliveries(request: TargetRequest, reply: FastifyReply) {
    const { id } = await this.#find(request);
    const { perPage, cursor, status } = readPage(request);
    if (status !== undefined && status !== 'success' && status !== 'failure')
      throw toValidationError('Delivery', [
        { field: 'status', code: 'invalid', message: '"status" must be "success" or "failure".' },
      ]);
    const found = await this.#call(request, 'webhooks.deliveries', {
      hookId: id,
      outcome: status,
      limit: perPage,
      cursor,
    });
    const { nextCursor } = found;
    if (nextCursor !== undefined)
      addNextLink(reply, `${this.#at(request)}${this.#target.hasSingleWebhook ? '' : `/${id}`}/deliveries`, {
        ...this.#readSlug(request),
        per_page: perPage,
        ...(status !== undefined && { status }),
        cursor: nextCursor,
      });
    return found.deliveries.map(toDeliveryJson);
  }

  /** Finds the hook of a path; a hook of another owner does not match. Throws `not_found`. */
  async #find(request: TargetRequest): Promise<HookView> {
    if (this.#target.hasSingleWebhook) return this.#findWebhook(request);
    const { hookId = '' } = request.params;
    const owner = getOwner(request.params);
    const found = await this.#call(request, 'webhooks.get', { hookId: readId(hookId, 'webhook') });
    if (found.kind === this.#target.kind && found.owner.toLowerCase() === owner.toLowerCase()) return found;
    throw new AppError('not_found', `Webhook ${hookId} of ${owner} not found.`);
  }

  async #findWebhook(request: TargetRequest): Promise<HookView> {
    const { slug: owner } = this.#readSlug(request);
    const { hooks: webhooks } = await this.#call(request, 'webhooks.list', { kind: 'app', owner, limit: 2 });
    const [webhook, another] = webhooks;
    if (webhook === undefined)
      throw new AppError(
        'not_found',
        owner === undefined
          ? 'No app has a webhook. Create one with POST /apps/{slug}/hooks.'
          : `App "${owner}" has no webhook. Create one with POST /apps/${encodeURIComponent(owner)}/hooks.`,
      );
    if (another !== undefined)
      throw new AppError('not_found', 'Several apps have webhooks. Select one: /app/hook?slug=NAME.');
    return webhook;
  }

  async #getDelivery(request: TargetRequest): Promise<{ hookId: number; deliveryId: number }> {
    const { id } = await this.#find(request);
    return { hookId: id, deliveryId: readId(request.params.deliveryId ?? '', 'delivery') };
  }

  #toJson(request: TargetRequest, webhook: HookView) {
    const at = this.#target.hasSingleWebhook ? this.#at(request) : `${this.#at(request)}/${webhook.id}`;
    const query = new URLSearchParams(this.#readSlug(request)).toString();
    return toWebhookJson(webhook, (below) => `${at}${below}${query === '' ? '' : `?${query}`}`);
  }

  /** Returns the app that the URL of the only hook names, if any. */
  #readSlug({ url }: TargetRequest): { readonly slug?: string } {
    const slug = this.#target.hasSingleWebhook && new URL(url, 'http://localhost').searchParams.get('slug');
    return slug ? { slug } : {};
  }

  /** Returns the URL of the list of hooks, or of the only hook, as seen by the caller. */
  #at(request: TargetRequest): string {
    const { owner = '', repo = '' } = request.params;
    const path = this.#target.prefix
      .replace(':owner', encodeURIComponent(owner))
      .replace(':repo', encodeURIComponent(repo));
    const end = this.#target.hasSingleWebhook ? 'hook' : 'hooks';
    return `${request.protocol}://${request.host}${this.#basePath}${path}/${end}`;
  }

  #call<Name extends OperationName>(
    request: TargetRequest,
    name: Name,
    input: OperationInput<Name>,
  ): Promise<OperationOutput<Name>> {
    return this.#api.call(name, input, request.caller);
  }
}

/** Parses an id. Throws `not_found` if it is not a number. */
function readId(text: string, what: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new AppError('not_found', `Invalid ${what} ${JSON.stringify(text)}.`);
}
