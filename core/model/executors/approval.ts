import { configTable } from './config-table.ts';

/** `config` of a step of type `approval`. */
export const approvalTable = configTable({
  question: {
    kind: 'text',
    description: 'What a person is asked; may have several lines.',
    example: 'Release ${VERSION} to production?',
    required: true,
  },
  details: {
    kind: 'text',
    description: 'Longer text under the question, such as a report.',
    example: '${REPORT}',
  },
  inputs: {
    kind: 'textList',
    description: 'Names of texts that who answers may fill in: one, or a list.',
    example: ['TICKET', 'REASON'],
  },
  required: {
    kind: 'textList',
    description: 'Names of the inputs without which it cannot be approved: one, or a list.',
    example: ['TICKET'],
  },
});
