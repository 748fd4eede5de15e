import { GatewayError } from '../gateway-error.ts';

/** Returns the error for an invalid token. Its reason is also in `WWW-Authenticate`. */
export const tokenError = (code: 'PGRST301' | 'PGRST303', message: string, details?: string): GatewayError =>
  new GatewayError(401, code, message, {
    details: details ?? null,
    headers: {
      'www-authenticate': `Bearer error="invalid_token", error_description="${message.replaceAll(/[^ -!#-[\]-~]/g, '')}"`,
    },
  });
