import { AppError } from '../../../core/base/errors.ts';
import type { Bridge } from '../../../core/contract/transport/bridge.ts';
import type { FilePort } from './file-sync.ts';

/** Access to a workflow file of the engine. */
export function bridgeFile(bridge: Bridge, fileName: string): FilePort {
  return {
    async read() {
      const { spec, hash } = await bridge.call('dags.spec', { fileName });
      return { text: spec, hash };
    },
    async write(text, baseHash, restoredFrom) {
      try {
        const { hash, errors } = await bridge.call('dags.updateSpec', {
          ...{ fileName, spec: text, baseHash, allowInvalid: true },
          ...(restoredFrom !== undefined && { restoredFrom }),
        });
        return { kind: 'written', hash, errors: errors.length };
      } catch (error) {
        if (error instanceof AppError && error.code === 'conflict') return { kind: 'conflict' };
        throw error;
      }
    },
  };
}
