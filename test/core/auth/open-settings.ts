import type { AuthSettings } from '../../../core/auth/settings.ts';

/** What counts when the configuration says nothing: nobody is asked. */
export const openSettings: AuthSettings = {
  mode: 'none',
  builtin: { tokenTtl: 24 * 3600 },
  basic: { username: undefined, password: undefined },
  token: { value: undefined },
  oidc: {
    issuer: undefined,
    clientId: undefined,
    clientSecret: undefined,
    scopes: ['openid', 'profile', 'email'],
    roleClaim: undefined,
    roleMapping: new Map(),
    defaultRole: undefined,
    allowedEmails: [],
    allowedDomains: [],
    userinfoTokens: false,
  },
};
