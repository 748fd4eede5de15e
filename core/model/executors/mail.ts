import { configTable } from './config-table.ts';

/** `config` of a step of type `mail`. The servers are those of the workflow's `smtp`. */
export const mailConfig = configTable({
  from: { kind: 'text', description: 'Address of the sender.', example: 'etl@example.com', required: true },
  to: {
    kind: 'textList',
    description: 'Addresses of the recipients: one, or a list.',
    example: ['ops@example.com', 'Team <dev@example.com>'],
    required: true,
  },
  cc: { kind: 'textList', description: 'Addresses that get a copy.', example: 'audit@example.com' },
  bcc: {
    kind: 'textList',
    description: 'Addresses that get a copy of which the others do not know.',
    example: 'archive@example.com',
  },
  replyTo: {
    kind: 'text',
    description: 'Address for answers; that of the sender when absent.',
    example: 'help@example.com',
  },
  subject: { kind: 'text', description: 'Subject; empty when absent.', example: 'Report of ${DAY}' },
  message: { kind: 'text', description: 'The mail as plain text.', example: 'All ${COUNT} rows are in.' },
  html: {
    kind: 'text',
    description: 'The mail as HTML; shown instead of "message" where it can be.',
    example: '<p>All rows are in.</p>',
  },
  attachments: {
    kind: 'textList',
    description:
      'Files to attach: one, or a list. Relative paths count from the folder of the step. A file that is missing fails the step before anything is sent.',
    example: ['report.pdf'],
  },
});
