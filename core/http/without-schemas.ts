const throwSchemaError = (): never => {
  throw new Error('a route must not have a schema of Fastify: operations have theirs in core/contract');
};

/**
 * `schemaController` of every Fastify server: no route uses Fastify schemas, and loading their compilers takes longer
 * than the rest of Fastify. The build excludes them (scripts/build/left-out.ts).
 */
export const withoutSchemas = {
  compilersFactory: { buildValidator: throwSchemaError, buildSerializer: throwSchemaError },
};
