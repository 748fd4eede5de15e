import type { EngineApi } from '../../api/engine-host.ts';

/** Operations that store strings from their input unchecked. Others look names up or validate them. */
const keepsWords = /^(approvals|receivers|webhooks|workers)\./;

/**
 * Validates the input of these operations against the API schemas, which are loaded on demand. TypeScript only knows
 * that a name is a string.
 */
export function checkResourceNames(api: EngineApi): EngineApi {
  return {
    async call(name, input, caller) {
      if (!keepsWords.test(name)) return api.call(name, input, caller);
      const { checkInputs } = await import('../../api/guards/checked-api.ts');
      return checkInputs(api).call(name, input, caller);
    },
    follow: (...options) => api.follow(...options),
  };
}
