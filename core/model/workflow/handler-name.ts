/** Lifecycle handlers in the order in which they may run. */
export const handlerNames = ['init', 'success', 'failure', 'abort', 'exit'] as const;
export type HandlerName = (typeof handlerNames)[number];
