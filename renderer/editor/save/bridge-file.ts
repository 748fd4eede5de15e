import { AppError } from '../../../core/base/errors.ts';
import type { Bridge } from '../../../core/contract/transport/bridge.ts';
import type { FilePort } from './file-sync.ts';

/** A workflow file of the engine. */
export function bridgeFile(bridge: Bridge, fileName: string): FilePort {
  return {
    async read() {
      const { spec, hash } = await bridge.call('dags.spec', { fileName });
      return { text: spec, hash };
    },
    async write(text, baseHash, restoredFrom) {
      try {
        const { hash } = await bridge.call('dags.updateSpec', {
          ...{ fileName, spec: text, baseHash },
          ...(restoredFrom !== undefined && { restoredFrom }),
        });
        return { kind: 'written', hash };
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw thrown;
        if (thrown.code === 'conflict') return { kind: 'conflict' };
        if (thrown.code === 'invalid_spec') return { kind: 'invalid', message: thrown.message };
        throw thrown;
      }
    },
  };
}
