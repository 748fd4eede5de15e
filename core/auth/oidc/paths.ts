/** Paths of this server, below its base path, for signing in with the provider. */
export const signInPath = '/auth/oidc/login';
/** Where the provider sends people back to; it has to be registered there. */
export const callbackPath = '/auth/oidc/callback';
export const signOutPath = '/auth/oidc/logout';
/** Where the provider sends people to who have signed out; it has to be registered there, too. */
export const signedOutPath = '/auth/oidc/signed-out';
