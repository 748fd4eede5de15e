import { configTable } from './config-table.ts';

/** `config` of a step of type `mail`. The servers are those of the workflow's `smtp`. */
export const mailConfig = configTable({
  from: { kind: 'text', description: 'Sender address.', example: 'etl@example.com', required: true },
  to: {
    kind: 'textList',
    description: 'Recipient addresses.',
    example: ['ops@example.com', 'Team <dev@example.com>'],
    required: true,
  },
  cc: { kind: 'textList', description: 'CC addresses.', example: 'audit@example.com' },
  bcc: {
    kind: 'textList',
    description: 'BCC addresses.',
    example: 'archive@example.com',
  },
  replyTo: {
    kind: 'text',
    description: 'Reply address. Default: the sender.',
    example: 'help@example.com',
  },
  subject: { kind: 'text', description: 'Email subject.', example: 'Report of ${DAY}' },
  message: { kind: 'text', description: 'Plain text body.', example: 'All ${COUNT} rows are in.' },
  html: {
    kind: 'text',
    description: 'HTML body, shown instead of "message" if supported.',
    example: '<p>All rows are in.</p>',
  },
  attachments: {
    kind: 'textList',
    description: 'Files to attach. A missing file fails the step.',
    example: ['report.pdf'],
  },
});
