import type { LoginView } from '../../contract/accounts/auth.ts';
import type { ResponseListener } from '../routes/operation-routes.ts';
import type { SessionCookie } from './session-cookie.ts';

/** Sets the session cookie after a login operation, and clears it after a logout. */
export function renewSession(cookie: SessionCookie): ResponseListener {
  return (name, output, reply) => {
    switch (name) {
      case 'auth.login':
      case 'auth.changePassword': {
        const { token, expiresAt } = output as LoginView;
        cookie.set(reply, { token, expiresAt: Date.parse(expiresAt) });
        return;
      }
      case 'auth.logout':
        cookie.clear(reply);
        return;
      default:
    }
  };
}
