import { Ajv2020 } from 'ajv/dist/2020.js';
import { findEvent } from '../../../core/webhooks/catalog.ts';
import { createRequire } from 'node:module';
import type { schemas } from '@octokit/openapi-webhooks';

/** A schema of the published description, as far as tests read it. */
interface PublishedSchema {
  readonly $ref?: string;
  readonly oneOf?: readonly PublishedSchema[];
  readonly anyOf?: readonly PublishedSchema[];
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly enum?: readonly string[];
}

/** The published description of all events (OpenAPI 3.1). */
interface PublishedDocument {
  readonly webhooks: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly 'x-github': { readonly subcategory: string };
          readonly requestBody: {
            readonly content: Readonly<Record<string, { readonly schema: PublishedSchema }>>;
          };
        };
      }
    >
  >;
}

/** The package's own entry reads eight such documents. */
const read: (typeof schemas)['api.github.com'] = createRequire(import.meta.url)(
  '@octokit/openapi-webhooks/generated/api.github.com.json',
);

export const publishedDocument = read as unknown as PublishedDocument;

/** Each schema of an event: its published name, with `_`, and the schema of its payload. */
export const publishedPayloads = Object.values(publishedDocument.webhooks).map(({ post }) => ({
  event: post['x-github'].subcategory.replaceAll('-', '_'),
  schema: post.requestBody.content['application/json']!.schema,
}));

/** Target of a schema reference. */
export function follow(schema: PublishedSchema): PublishedSchema {
  if (schema.$ref === undefined) return schema;
  const steps = schema.$ref.slice(2).split('/');
  return follow(
    steps.reduce<unknown>(
      (value, step) => (value as Record<string, unknown>)[step],
      publishedDocument,
    ) as PublishedSchema,
  );
}

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  // Each schema validates a few payloads: compiling it takes far longer.
  inlineRefs: false,
  code: { optimize: false },
  formats: {
    uri: (text: string) => URL.canParse(text),
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
    date: /^\d{4}-\d\d-\d\d$/,
    email: /^\S+@\S+$/,
    'uri-template': true,
    'repo.nwo': true,
    int64: true,
  },
});
ajv.addSchema(publishedDocument, 'published');

/** Whether a schema of payloads, or one of several in it, accepts this action. */
function takesAction(schema: PublishedSchema, action: unknown): boolean {
  const { oneOf, anyOf, properties } = follow(schema);
  const several = oneOf ?? anyOf;
  if (several !== undefined) return several.some((one) => takesAction(one, action));
  const known = follow(properties?.['action'] ?? {}).enum;
  return known === undefined || known.includes(String(action));
}

/**
 * The schema of an event, which may have another published name, and of its action; undefined when there is none of
 * this action.
 */
export function findSchema(event: string, action: unknown): string | undefined {
  const { aliases = [] } = findEvent(event)!;
  const examples = publishedPayloads.filter(({ event: name }) => name === event || aliases.includes(name));
  return examples.find(({ schema }) => takesAction(schema, action))?.schema.$ref;
}

/**
 * Whether a value matches a part of the published description.
 * @param pointer as in `#/components/schemas/…`
 */
export const matchesPublishedSchema = (pointer: string, value: unknown): boolean =>
  ajv.getSchema(`published${pointer}`)!(value) === true;

/** Violations of the published schema by a payload; empty when there are none. */
export function findSchemaViolations(event: string, payload: Readonly<Record<string, unknown>>): string[] {
  const schema = findSchema(event, payload['action']);
  if (schema === undefined) throw new Error(`No schema of ${event} ${String(payload['action'])}`);
  const validate = ajv.getSchema(`published${schema}`)!;
  if (validate(payload) === true) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${event}${instancePath} ${message ?? 'does not fit'}`,
  );
}
