import { GatewayError } from '../gateway-error.ts';

/** A refusal of a token; its reason is told in `WWW-Authenticate`, too. */
export const refuseToken = (code: 'PGRST301' | 'PGRST303', message: string, details?: string): GatewayError =>
  new GatewayError(401, code, message, {
    details: details ?? null,
    headers: {
      'www-authenticate': `Bearer error="invalid_token", error_description="${message.replaceAll(/[^ -!#-[\]-~]/g, '')}"`,
    },
  });
