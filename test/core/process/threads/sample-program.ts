import { AppError } from '../../../../core/base/errors.ts';
import { serveRequests } from '../../../../core/process/threads/serve-requests.ts';

/** What a test asks the thread to do. */
export type SampleRequest = 'echo' | 'loop' | 'fill memory' | 'refuse' | 'fail';

serveRequests((request: SampleRequest) => {
  switch (request) {
    case 'echo':
      return 'echo';
    case 'loop':
      for (;;);
    case 'fill memory': {
      const retained: unknown[] = [];
      for (;;) retained.push(Array.from({ length: 1000 }, () => ({})));
    }
    case 'refuse':
      throw new AppError('invalid_spec', 'The file is empty.');
    case 'fail':
      throw new TypeError('not a function');
  }
});
