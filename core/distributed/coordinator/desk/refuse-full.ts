import { AppError } from '../../../base/errors.ts';

/** Seconds after which a worker that was turned away may ask again. */
const retryAfter = 1;

/** The refusal of a coordinator that has as much to do as it takes. */
export const refuseFull = (): AppError =>
  new AppError(
    'unavailable',
    'The coordinator is overloaded. Use another coordinator, or retry in a second.',
    { details: { retryAfter } },
  );

/** The refusal of a coordinator that ends. */
export const refuseStopping = (): AppError =>
  new AppError('unavailable', 'The coordinator is stopping. Use another coordinator, or retry in a second.', {
    details: { retryAfter },
  });
