import { AppError } from '../../../base/errors.ts';

/** Seconds after which a rejected worker may retry. */
const retryAfter = 1;

/** Returns the error of an overloaded coordinator. */
export const overloadedError = (): AppError =>
  new AppError(
    'unavailable',
    'The coordinator is overloaded. Use another coordinator, or retry in a second.',
    { details: { retryAfter } },
  );

/** Returns the error of a coordinator that is closing. */
export const stoppingError = (): AppError =>
  new AppError('unavailable', 'The coordinator is stopping. Use another coordinator, or retry in a second.', {
    details: { retryAfter },
  });
