import { describe, expect, it } from 'vitest';
import { emit } from '../../../core/webhooks/emit-event.ts';

const tag = { ref: 'v1', ref_type: 'tag' };
const branch = { ref: 'topic', ref_type: 'branch' };
const pushOf = (ref: string) => ({ ref, before: '0', after: '1' });

describe('emitted events', () => {
  it.each([
    ['create', tag, 3, true],
    ['create', tag, 4, false],
    ['create', branch, 4, true],
    ['delete', tag, 3, true],
    ['delete', tag, 4, false],
    ['delete', branch, 4, true],
    ['push', pushOf('refs/tags/v1'), 3, true],
    ['push', pushOf('refs/tags/v1'), 4, false],
    ['push', pushOf('refs/heads/main'), 5000, true],
    ['push', pushOf('refs/heads/main'), 5001, false],
    ['deployment_status', { deployment_status: { state: 'success' } }, 1, true],
    ['deployment_status', { deployment_status: { state: 'inactive' } }, 1, false],
    ['issues', { action: 'opened' }, 9999, true],
  ])('%s of %j, %i at once: %s', (event, payload, refsAtOnce, emitted) => {
    expect(emit({ event, payload, refsAtOnce }).emitted).toBe(emitted);
  });

  it('report why there is no recipient', () => {
    expect(emit({ event: 'create', payload: tag, refsAtOnce: 4 })).toEqual({
      emitted: false,
      reason: '`create` is not sent if more than 3 tags are pushed at once (here: 4).',
    });
  });

  it('contain at most ten branches in a status, and otherwise the unchanged payload', () => {
    const branches = Array.from({ length: 12 }, (_, index) => ({ name: `b${index}` }));
    const payload = { state: 'success', branches };
    expect(emit({ event: 'status', payload })).toEqual({
      emitted: true,
      payload: { state: 'success', branches: branches.slice(0, 10) },
    });
    expect(payload.branches).toHaveLength(12);
  });
});
