import type { Logger } from '../../core/base/logger.ts';

/** Reports nothing. */
export const silentLogger: Logger = { info() {}, warn() {}, error() {} };
