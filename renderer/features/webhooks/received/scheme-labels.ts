import type { ReceiverView } from '../../../../core/contract/webhooks/receivers.ts';

/** Labels of the authentication schemes of senders. */
export const schemeLabels: Readonly<
  Record<ReceiverView['scheme'], { readonly label: string; readonly help: string }>
> = {
  platform: {
    label: 'X-Hub-Signature-256',
    help: 'HMAC signature in the X-Hub-Signature-256 header, as used by GitHub.',
  },
  standard: {
    label: 'Standard Webhooks',
    help: 'Standard Webhooks headers. Secrets start with whsec_.',
  },
  bearer: {
    label: 'Bearer token',
    help: 'Secret in the Authorization header. Use HTTPS only.',
  },
};
