const renames = {
  'run.taken_over': 'run.recovered',
  'run.ending': 'run.terminating',
  'run.mailing': 'run.notification',
  'run.note': 'run.message',
  'step.handed_over': 'step.dispatched',
  'step.asked': 'step.approval_requested',
  'step.answered': 'step.approval_resolved',
  'step.settled': 'step.ended',
};

const quote = (text: string): string => `'${text}'`;

/** Event types of 0.1.0 that were renamed since. For SQLite and PostgreSQL. Never edit a released migration. */
export const sql = /* sql */ `
UPDATE event SET type = CASE type
${Object.entries(renames)
  .map(([before, after]) => `  WHEN ${quote(before)} THEN ${quote(after)}`)
  .join('\n')}
END
WHERE type IN (${Object.keys(renames).map(quote).join(', ')});
`;
