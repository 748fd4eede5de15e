import { describe, expect, it } from 'vitest';
import { chooseServer } from '../../../core/cli/command-context.ts';

const variables = { ENGINE_SERVER: 'http://variable', ENGINE_SERVER_TOKEN: 'swt_variable' };

describe('server of commands', () => {
  it.each([
    ['none', {}, {}, undefined],
    ['none for an empty variable', {}, { ENGINE_SERVER: '' }, undefined],
    ['variable', {}, variables, { url: 'http://variable', token: 'swt_variable' }],
    [
      'flags over variables',
      { server: 'http://flag', token: 'swt_flag' },
      variables,
      { url: 'http://flag', token: 'swt_flag' },
    ],
    [
      'flag with the token of the variable',
      { server: 'http://flag' },
      variables,
      { url: 'http://flag', token: 'swt_variable' },
    ],
    ['home named before the variable', { engineHome: '/home' }, variables, undefined],
  ])('is %s', (_, flags, environment, server) => {
    expect(chooseServer(flags, environment)).toEqual(server);
  });

  it('rejects contradictions', () => {
    expect(() => chooseServer({ server: 'http://flag', engineHome: '/home' }, {})).toThrow(
      'Options --server and --engine-home cannot be used together. A server has its own home.',
    );
    expect(() => chooseServer({ token: 'swt_flag' }, {})).toThrow('--server');
  });
});
