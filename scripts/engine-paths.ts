/** The paths that belong to the engine's server in development; everything else is the renderer's, a folder `api` too. */
export const ENGINE_PATHS = '^/(api/v[0-9]+|webhooks|gateway|repos|orgs)/';
