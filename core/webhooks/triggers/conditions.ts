import {
  evaluateText,
  isConditionMet,
  type ExpressionScope,
} from '../../executors/actions/expressions/evaluate.ts';
import type { JsonValue } from '../../base/json.ts';
import type { webhookContexts } from '../../spec/expressions/webhook-contexts.ts';
import type { Delivery } from '../receiving/delivery-receiver.ts';

/** Whether a condition on a delivery is true. Rejects with a message about an invalid condition. */
export const matchesCondition = (condition: string, delivery: Delivery): Promise<boolean> =>
  isConditionMet(condition, scopeOf(delivery), false);

/** Evaluates an expression on a delivery to a string. Rejects with a message about an invalid expression. */
export const expressionText = (expression: string, delivery: Delivery): Promise<string> =>
  evaluateText(expression, scopeOf(delivery));

function scopeOf({ event, action, payload, headers, receiver }: Delivery): ExpressionScope {
  const contexts: Record<(typeof webhookContexts)[number], JsonValue> = {
    event: event ?? null,
    action: action ?? null,
    payload,
    headers: { ...headers },
    receiver: receiver.name,
  };
  return {
    contexts,
    progress: 'success',
    hashFiles: () => Promise.reject(new Error('hashFiles is not available here')),
  };
}
