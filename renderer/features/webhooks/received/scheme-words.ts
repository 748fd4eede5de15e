import type { ReceiverView } from '../../../../core/contract/webhooks/receivers.ts';

/** The ways in which senders prove who they are. */
export const schemeWords: Readonly<
  Record<ReceiverView['scheme'], { readonly label: string; readonly help: string }>
> = {
  platform: {
    label: 'X-Hub-Signature-256',
    help: 'As GitHub and many others sign: HMAC of the body with the secret, in the header X-Hub-Signature-256.',
  },
  standard: {
    label: 'Standard Webhooks',
    help: 'The headers webhook-id, webhook-timestamp and webhook-signature; a secret begins with whsec_.',
  },
  bearer: {
    label: 'Bearer token',
    help: 'The secret itself in the header Authorization. For senders that cannot sign; only over https.',
  },
};
