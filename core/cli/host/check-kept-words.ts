import type { EngineApi } from '../../api/engine-host.ts';

/** Operations that keep what they are given as it is. All others look names up, or check them by themselves. */
const keepsWords = /^(approvals|receivers|webhooks|workers)\./;

/**
 * The same operations, with what a command line gives them checked as a request is: the compiler knows that a name is a
 * text, not which. Its schemas are loaded only then.
 */
export function checkKeptWords(api: EngineApi): EngineApi {
  return {
    async call(name, input, caller) {
      if (!keepsWords.test(name)) return api.call(name, input, caller);
      const { checkInputs } = await import('../../api/guards/checked-api.ts');
      return checkInputs(api).call(name, input, caller);
    },
    follow: (...wish) => api.follow(...wish),
  };
}
