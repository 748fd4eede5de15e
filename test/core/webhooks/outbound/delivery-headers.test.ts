import { describe, expect, it } from 'vitest';
import { deliveryHeaders, encodeBody } from '../../../../core/webhooks/outbound/build-request.ts';
import { signBody } from '../../../../core/webhooks/signature.ts';

const facts = {
  hookId: 292430182,
  event: 'issues',
  guid: '72d3162e-cc78-11e3-81ab-4c9367dc0958',
  targetType: 'repository',
  targetId: 79929171,
};
const body = encodeBody(JSON.stringify({ action: 'opened' }), 'json');

describe('headers of a delivery', () => {
  it('are those of the reference', () => {
    expect(deliveryHeaders(facts, body)).toEqual({
      Accept: '*/*',
      'Content-Type': 'application/json',
      'Content-Length': '19',
      'User-Agent': expect.stringMatching(/^Platform-Hookshot\//) as string,
      'X-Platform-Delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
      'X-Platform-Event': 'issues',
      'X-Platform-Hook-ID': '292430182',
      'X-Platform-Hook-Installation-Target-ID': '79929171',
      'X-Platform-Hook-Installation-Target-Type': 'repository',
    });
  });

  it('have the names of GitHub as well on request', () => {
    const headers = deliveryHeaders({ ...facts, event: 'the service', githubEvent: 'public' }, body);
    expect(headers).toMatchObject({
      'X-Platform-Event': 'the service',
      'X-GitHub-Event': 'public',
      'X-GitHub-Delivery': facts.guid,
      'X-GitHub-Hook-ID': '292430182',
      'X-GitHub-Hook-Installation-Target-ID': '79929171',
      'X-GitHub-Hook-Installation-Target-Type': 'repository',
    });
    expect(Object.keys(deliveryHeaders(facts, body)).filter((name) => /github/i.test(name))).toEqual([]);
  });

  it('have both signatures with a secret, and neither without', () => {
    const signed = deliveryHeaders({ ...facts, secret: 's' }, body);
    expect(signed).toMatchObject(signBody(body.bytes, 's'));
    for (const secret of [undefined, '']) {
      const names = Object.keys(deliveryHeaders({ ...facts, secret }, body));
      expect(names.filter((name) => name.startsWith('X-Hub'))).toEqual([]);
    }
  });
});
