import { createRequire } from 'node:module';
import type { schemas } from '@octokit/openapi-webhooks';

/** A schema of the published description, as far as tests read it. */
export interface PublishedSchema {
  readonly $ref?: string;
  readonly oneOf?: readonly PublishedSchema[];
  readonly anyOf?: readonly PublishedSchema[];
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly enum?: readonly string[];
}

/** The published description of all events (OpenAPI 3.1). */
export interface PublishedDocument {
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

/** Each schema of an event: its name as it was published, with `_`, and what a payload is to fit. */
export const publishedPayloads = Object.values(publishedDocument.webhooks).map(({ post }) => ({
  event: post['x-github'].subcategory.replaceAll('-', '_'),
  schema: post.requestBody.content['application/json']!.schema,
}));

/** What a schema stands for. */
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
