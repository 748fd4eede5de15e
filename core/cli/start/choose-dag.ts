import { AppError } from '../../base/errors.ts';
import type { LibraryEntry } from '../../library/workflow-library.ts';
import type { CommandContext } from '../command-context.ts';
import { openLibrary } from '../find-dag.ts';
import { oneLine } from '../report/plain-text.ts';

/** Lets a person choose a workflow of the home by typing a part of its name; nothing when they turn away (Ctrl-C). */
export async function chooseDag(context: CommandContext): Promise<string | undefined> {
  const hint = 'engine start FILE|NAME; engine help start shows more';
  if (!context.terminal.interactive) {
    throw new AppError('bad_request', 'no workflow named, and there is no terminal to choose one on', {
      details: { hint },
    });
  }
  const entries = openLibrary(context.home).list().filter(isRunnable);
  if (entries.length === 0) {
    throw new AppError('not_found', `the workflow folder of ${context.home} is empty`, { details: { hint } });
  }
  const { default: search } = await import('@inquirer/search');
  try {
    return await search(
      { message: 'Workflow to start', source: (term) => filterEntries(entries, term ?? '').map(toChoice) },
      { output: process.stderr },
    );
  } catch (thrown) {
    if (thrown instanceof Error && thrown.name === 'ExitPromptError') return undefined;
    throw thrown;
  }
}

const isRunnable = (entry: LibraryEntry): boolean => entry.spec.workflows.length > 0;

/** Entries in which every word of the term occurs, in name or description. */
export function filterEntries(entries: readonly LibraryEntry[], term: string): LibraryEntry[] {
  const words = term.toLowerCase().split(/\s+/);
  return entries.filter((entry) => {
    const text = `${entry.fileName} ${describe(entry)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const toChoice = (entry: LibraryEntry): { value: string; name: string; description: string } => ({
  value: entry.file,
  name: entry.fileName,
  description: describe(entry),
});

const describe = (entry: LibraryEntry): string => oneLine(entry.spec.workflows[0]?.description ?? '');
