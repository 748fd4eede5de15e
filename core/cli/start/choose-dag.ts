import { AppError } from '../../base/errors.ts';
import type { CommandContext } from '../command-context.ts';
import type { WorkflowMatch, EngineClient, WorkflowChoice } from '../host/host-api.ts';
import { oneLine } from '../report/plain-text.ts';

/** Prompts for a workflow of the home with a search; undefined if cancelled (Ctrl-C). */
export async function chooseDag(
  context: CommandContext,
  host: EngineClient,
): Promise<WorkflowMatch | undefined> {
  const hint = 'Use "engine start FILE|NAME". Run "engine help start" for details.';
  if (!context.terminal.interactive) {
    throw new AppError('bad_request', 'No workflow specified, and no terminal to choose one.', {
      details: { hint },
    });
  }
  const entries = await host.workflows.choices();
  if (entries.length === 0) {
    throw new AppError('not_found', `No workflows in ${host.location}.`, { details: { hint } });
  }
  const { default: search } = await import('@inquirer/search');
  try {
    return await search(
      { message: 'Workflow to start', source: (term) => filterEntries(entries, term ?? '').map(toChoice) },
      { output: process.stderr },
    );
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') return undefined;
    throw error;
  }
}

/** Returns entries that contain every word of the term in name or description. */
export function filterEntries(entries: readonly WorkflowChoice[], term: string): WorkflowChoice[] {
  const args = term.toLowerCase().split(/\s+/);
  return entries.filter((entry) => {
    const text = `${entry.fileName} ${describe(entry)}`.toLowerCase();
    return args.every((word) => text.includes(word));
  });
}

const toChoice = (entry: WorkflowChoice): { value: WorkflowMatch; name: string; description: string } => ({
  value: entry.source,
  name: entry.fileName,
  description: describe(entry),
});

const describe = ({ description }: WorkflowChoice): string => oneLine(description);
