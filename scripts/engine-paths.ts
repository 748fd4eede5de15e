/**
 * The paths of the engine's server in development; all others, including a directory `api`, belong to the
 * renderer.
 */
export const ENGINE_PATHS = '^/(api/v[0-9]+|webhooks|gateway|repos|orgs)/';
