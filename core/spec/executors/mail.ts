import { mailConfig } from '../../model/executors/mail.ts';
import { findField, fieldOf } from '../source/source-node.ts';
import type { ExecutorRules } from './rules.ts';

/** Steps of type `mail`. The configuration contains the whole mail; the mail server is set in the workflow. */
export const mailRules: ExecutorRules = {
  sentence: 'Sends an email.',
  table: mailConfig,
  command: 'refused',
  script: 'refused',
  params: 'refused',
  example: '{type: mail, config: {from: etl@example.com, to: ops@example.com, subject: Done}}',
  check: ({ config }, step, report) => {
    const { to } = config;
    if (!Array.isArray(to) || to.some((address) => String(address).trim() !== '')) return;
    const field = findField(step, 'config') ?? fieldOf(fieldOf(step, 'type'), 'config');
    report.error(fieldOf(field, 'to'), '"to" is empty. Add at least one recipient address.');
  },
};
