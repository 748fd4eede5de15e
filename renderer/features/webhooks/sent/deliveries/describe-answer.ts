import type { DeliveryView } from '../../../../../core/contract/webhooks/hook-views.ts';

/** What a receiver answered, in a few words. */
export function describeAnswer(delivery: Pick<DeliveryView, 'delivered' | 'status' | 'statusCode'>): string {
  const { delivered, status, statusCode } = delivery;
  // Of a refusal the words of the engine say the number, too.
  return delivered && statusCode !== undefined ? `${statusCode} ${status}` : sentence(status);
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
