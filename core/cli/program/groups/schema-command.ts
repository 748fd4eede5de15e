import { Argument, type Command } from 'commander';
import type { SchemaInput } from '../../commands/workflows/schema.ts';
import { carryOut, type ProgramHooks } from '../hooks.ts';

const notes = `
Examples:
  engine schema --output workflow.schema.json
  engine schema base --output base.schema.json

An editor that knows the schema completes, explains and checks fields while you write: docs/editor.md.`;

/** Adds the command that hands out what editors need. */
export function addSchemaCommand(program: Command, hooks: ProgramHooks): void {
  const schema = carryOut(hooks, async () => (await import('../../commands/workflows/schema.ts')).runSchema);
  program
    .command('schema')
    .description('print the JSON Schema of workflow files, for editors')
    .addArgument(
      new Argument('[KIND]', 'of which files: workflow, or base for base.yaml')
        .choices(['workflow', 'base'])
        .default('workflow'),
    )
    .option('-o, --output <file>', 'write it to this file (default: stdout)')
    .addHelpText('after', notes)
    .action((kind: SchemaInput['kind'], options: Omit<SchemaInput, 'kind'>, command: Command) =>
      schema({ kind, ...options }, command),
    );
}
