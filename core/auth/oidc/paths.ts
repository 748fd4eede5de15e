/** Paths of this server for sign-in, below its base path. */
export const signInPath = '/auth/oidc/login';
/** Redirect URI path, which must be registered at the provider. */
export const callbackPath = '/auth/oidc/callback';
export const signOutPath = '/auth/oidc/logout';
/** Post-logout redirect path, which must be registered at the provider. */
export const signedOutPath = '/auth/oidc/signed-out';
