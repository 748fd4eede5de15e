import { key, optionalKey, secretKey, type ConfigTable } from '../config-key.ts';
import { roleMapping, roleName } from '../values/read-role-mapping.ts';
import { exactText, text, webAddress, words } from '../values/read-texts.ts';
import { duration, flag, oneOf } from '../values/read-values.ts';

/** Who may use the server. Secrets may be named without `ENGINE_`, as the mode itself. */
export const authSection = {
  mode: key(oneOf('none', 'builtin', 'oidc'), 'none', 'AUTH_MODE', 'ENGINE_AUTH_MODE'),
  builtin: {
    /** How long somebody stays signed in. */
    tokenTtl: key(duration(60), 24 * 3600, 'ENGINE_AUTH_TOKEN_TTL'),
  },
  /** One name and password for basic authentication. */
  basic: {
    username: optionalKey(text, 'AUTH_BASIC_USERNAME', 'ENGINE_AUTH_BASIC_USERNAME'),
    password: secretKey(exactText, 'AUTH_BASIC_PASSWORD', 'ENGINE_AUTH_BASIC_PASSWORD'),
  },
  /** One token of an administrator. */
  token: {
    value: secretKey(text, 'AUTH_TOKEN', 'ENGINE_AUTH_TOKEN'),
  },
  oidc: {
    /** Address of the provider, below which its discovery document is. */
    issuer: optionalKey(webAddress, 'ENGINE_AUTH_OIDC_ISSUER'),
    clientId: optionalKey(text, 'ENGINE_AUTH_OIDC_CLIENT_ID'),
    /** Absent for a public client. */
    clientSecret: secretKey(exactText, 'AUTH_OIDC_CLIENT_SECRET', 'ENGINE_AUTH_OIDC_CLIENT_SECRET'),
    scopes: key(words, ['openid', 'profile', 'email'], 'ENGINE_AUTH_OIDC_SCOPES'),
    /** Way to the claim that says what somebody is, such as `groups` or `realm_access.roles`. */
    roleClaim: optionalKey(text, 'ENGINE_AUTH_OIDC_ROLE_CLAIM'),
    /** Role by value of that claim; a value that is the name of a role stands for itself where nothing is given. */
    roleMapping: key(roleMapping, new Map(), 'ENGINE_AUTH_OIDC_ROLE_MAPPING'),
    /** Role of those whose claim gives none. */
    defaultRole: optionalKey(roleName, 'ENGINE_AUTH_OIDC_DEFAULT_ROLE'),
    /** Whom to let in; everybody whom the provider signs in when both are empty. */
    allowedEmails: key(words, [], 'ENGINE_AUTH_OIDC_ALLOWED_EMAILS', 'ENGINE_AUTH_OIDC_WHITELIST'),
    allowedDomains: key(words, [], 'ENGINE_AUTH_OIDC_ALLOWED_DOMAINS'),
    /** Take access tokens that only the userinfo endpoint knows, whichever application they were issued to. */
    userinfoTokens: key(flag, false, 'ENGINE_AUTH_OIDC_USERINFO_TOKENS'),
  },
} as const satisfies ConfigTable;
