import { configTable } from './config-table.ts';

/** `config` of a step of type `approval`. */
export const approvalTable = configTable({
  question: {
    kind: 'text',
    description: 'Question shown to the approver.',
    example: 'Release ${VERSION} to production?',
    required: true,
  },
  details: {
    kind: 'text',
    description: 'Additional text below the question, such as a report.',
    example: '${REPORT}',
  },
  inputs: {
    kind: 'textList',
    description: 'Input fields the approver can fill in.',
    example: ['TICKET', 'REASON'],
  },
  required: {
    kind: 'textList',
    description: 'Inputs that are required for approval.',
    example: ['TICKET'],
  },
});
