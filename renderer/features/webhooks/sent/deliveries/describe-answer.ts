import type { DeliveryView } from '../../../../../core/contract/webhooks/hook-views.ts';
import { meaningOf } from '../../../../format/http-status.ts';

/** What a receiver answered, in a few words. */
export function describeAnswer(delivery: Pick<DeliveryView, 'delivered' | 'status' | 'statusCode'>): string {
  const { delivered, status, statusCode } = delivery;
  // Of a refusal the words of the engine say the number, too; of every success they say "OK".
  return delivered && statusCode !== undefined
    ? `${statusCode} ${meaningOf(statusCode)}`.trim()
    : sentence(status);
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
