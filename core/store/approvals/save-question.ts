import type { RunEvent } from '../../model/run/run-event.ts';
import type { Database } from '../database/database.ts';

/** Stores the question of an attempt. Call it inside the transaction that records the question. */
export function saveQuestion(
  database: Database,
  runKey: number,
  at: number,
  {
    id,
    node,
    attempt,
    question,
    details,
    inputs,
    required,
  }: Extract<RunEvent, { type: 'step.approval_requested' }>,
): void {
  database.run(
    /* sql */ `
    INSERT INTO approval (id, run_key, section, name, attempt, question, details, inputs, required, asked_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    runKey,
    node.section,
    node.name,
    attempt,
    question,
    details ?? null,
    JSON.stringify(inputs),
    JSON.stringify(required),
    at,
  );
}
