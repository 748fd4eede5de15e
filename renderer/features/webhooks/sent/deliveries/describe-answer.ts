import type { DeliveryView } from '../../../../../core/contract/webhooks/webhook-views.ts';
import { meaningOf } from '../../../../format/http-status.ts';

/** Describes a receiver's response in a few words. */
export function describeAnswer(delivery: Pick<DeliveryView, 'delivered' | 'status' | 'statusCode'>): string {
  const { delivered, status, statusCode } = delivery;
  // For a failure, the engine's message includes the status code; for every success it is "OK".
  return delivered && statusCode !== undefined
    ? `${statusCode} ${meaningOf(statusCode)}`.trim()
    : sentence(status);
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
