const throwSchemaError = (): never => {
  throw new Error('Routes must not have a Fastify schema. Define schemas in core/contract.');
};

/**
 * `schemaController` of every Fastify server: no route uses Fastify schemas, and loading their compilers takes longer
 * than the rest of Fastify. The build excludes them (scripts/build/bundle-plugins.ts).
 */
export const withoutSchemas = {
  compilersFactory: { buildValidator: throwSchemaError, buildSerializer: throwSchemaError },
};
