import { expect, test } from 'vitest';
import { editParamDefaults } from '../../../core/edit/workflow-fields.ts';

test('defaults of typed and plain parameters are set, and everything else stays', () => {
  const text = `# Backup
params:
  - { name: FOLDER, required: true } # where
  - name: KEEP
    type: integer
    default: 7
  - REGION: north
steps: [date]
`;
  expect(editParamDefaults(text, { FOLDER: '/srv/a b', KEEP: 9, REGION: 'south', OTHER: 'x' })).toEqual({
    text: text
      .replace('required: true }', 'required: true, default: /srv/a b }')
      .replace('default: 7', 'default: 9')
      .replace('north', 'south'),
  });
  expect(editParamDefaults('params: A=1\nsteps: [date]\n', { A: '2' })).toEqual({
    reason: 'The parameters of this workflow are not a list.',
  });
});
