import type { JsonObject, JsonValue } from '../base/json.ts';
import type { WebhookKind } from '../contract/webhook-views.ts';
import type { OperationInput } from '../contract/operations.ts';
import { toValidationError, type BodyProblem } from './webhook-json.ts';

type Create = Omit<OperationInput<'webhooks.create'>, 'kind' | 'owner'>;
type Update = Omit<OperationInput<'webhooks.update'>, 'hookId'>;

/** Default events of a hook. */
const usualEvents: Readonly<Record<WebhookKind, readonly string[]>> = {
  repository: ['push'],
  organization: ['push'],
  enterprise: ['*'],
  app: ['*'],
  marketplace: ['marketplace_purchase'],
  sponsored: ['sponsorship'],
};

/** Placeholder for a secret. */
const masked = '********';

/** The settings in `config`. */
type Config = Pick<Update, 'url' | 'format' | 'secret' | 'verifyTls'>;

/** Parses the body of a new hook: `config.url` is required, the format is `form` unless it is `json`. */
export function readNewWebhook(body: unknown, kind: WebhookKind): Create {
  const reader = new BodyReader(body);
  const name = reader.text('name');
  if (name !== undefined && name !== 'web') reader.addProblem('name', '"name" must be "web".');
  const config = readConfig(reader);
  const url = config.url ?? '';
  if (url === '') reader.missing('config.url', '"config.url" is required.');
  const settings: Create = {
    url,
    format: config.format ?? 'form',
    secret: config.secret ?? undefined,
    verifyTls: config.verifyTls,
    events: reader.texts('events') ?? [...usualEvents[kind]],
    active: reader.readFlag('active'),
    options: reader.object('options'),
  };
  reader.finish();
  return settings;
}

/** Parses changes of a hook. If `config` is present without a secret, the secret is removed. */
export function readWebhookChange(body: unknown): Update {
  const reader = new BodyReader(body);
  const config = readConfig(reader);
  const hasConfig = reader.object('config') !== undefined;
  const change: Update = {
    ...config,
    ...(hasConfig && config.secret === undefined && !reader.isMasked() && { secret: null }),
    events: reader.texts('events'),
    addEvents: reader.texts('add_events'),
    removeEvents: reader.texts('remove_events'),
    active: reader.readFlag('active'),
    options: reader.object('options'),
  };
  reader.finish();
  return change;
}

/** Parses a change of the configuration only; absent fields stay unchanged. */
export function readConfigChange(body: unknown): Update {
  const reader = new BodyReader({ config: body as JsonValue });
  const config = readConfig(reader);
  reader.finish();
  return config;
}

function readConfig(reader: BodyReader): Config {
  const type = reader.configText('content_type');
  if (type !== undefined && type !== 'json' && type !== 'form')
    reader.addProblem('config.content_type', '"config.content_type" must be "json" or "form".');
  const insecure = reader.configText('insecure_ssl');
  if (insecure !== undefined && insecure !== '0' && insecure !== '1')
    reader.addProblem('config.insecure_ssl', '"config.insecure_ssl" must be "0" or "1".');
  const secret = reader.configText('secret');
  return {
    url: reader.configText('url'),
    format: type === 'json' || type === 'form' ? type : undefined,
    ...(secret !== undefined && secret !== masked && { secret }),
    verifyTls: insecure === undefined ? undefined : insecure === '0',
  };
}

/** Reads fields of a body and collects errors; unknown fields are ignored. */
class BodyReader {
  readonly #body: JsonObject;
  readonly #problems: BodyProblem[] = [];

  constructor(body: unknown) {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw toValidationError('Hook', [
        { field: 'body', code: 'invalid', message: 'The request body must be a JSON object.' },
      ]);
    }
    this.#body = body as JsonObject;
  }

  addProblem(field: string, message: string): void {
    this.#problems.push({ field, code: 'invalid', message });
  }

  missing(field: string, message: string): void {
    this.#problems.push({ field, code: 'missing_field', message });
  }

  text(field: string): string | undefined {
    const value = this.#body[field];
    if (value === undefined || typeof value === 'string') return value;
    this.addProblem(field, `"${field}" must be a string.`);
    return undefined;
  }

  readFlag(field: string): boolean | undefined {
    const value = this.#body[field];
    if (value === undefined || typeof value === 'boolean') return value;
    this.addProblem(field, `"${field}" must be true or false.`);
    return undefined;
  }

  texts(field: string): string[] | undefined {
    const value = this.#body[field];
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
    this.addProblem(field, `"${field}" must be a list of event names.`);
    return undefined;
  }

  object(field: string): JsonObject | undefined {
    const value = this.#body[field];
    if (value === undefined) return undefined;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    this.addProblem(field, `"${field}" must be an object.`);
    return undefined;
  }

  /** Reads a string field of `config`; numbers are accepted, because clients send `insecure_ssl` as either. */
  configText(field: string): string | undefined {
    const config = this.#body['config'];
    if (typeof config !== 'object' || config === null || Array.isArray(config)) {
      if (config !== undefined && field === 'url') this.addProblem('config', '"config" must be an object.');
      return undefined;
    }
    const value = config[field];
    if (typeof value === 'number') return String(value);
    if (value === undefined || typeof value === 'string') return value;
    if (value !== null) this.addProblem(`config.${field}`, `"config.${field}" must be a string.`);
    return undefined;
  }

  isMasked(): boolean {
    return this.configText('secret') === masked;
  }

  /** Throws `validation_failed` if there are errors. */
  finish(): void {
    const seen = new Map(this.#problems.map((problem) => [problem.field, problem]));
    if (seen.size > 0) throw toValidationError('Hook', [...seen.values()]);
  }
}
