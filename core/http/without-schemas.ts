const refuseSchemas = (): never => {
  throw new Error('a route must not have a schema of Fastify: operations have theirs in core/contract');
};

/**
 * `schemaController` of every Fastify server here: no route has a schema of Fastify's, and the compilers of those, which
 * it would load, take longer to load than the rest of it. The build leaves them out (scripts/build/left-out.ts).
 */
export const withoutSchemas = {
  compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas },
};
