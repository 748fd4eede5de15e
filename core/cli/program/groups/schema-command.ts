import { Argument, type Command } from 'commander';
import type { SchemaInput } from '../../commands/workflows/schema.ts';
import { runCommand, type ProgramHooks } from '../hooks.ts';

const notes = `
Examples:
  engine schema --output workflow.schema.json
  engine schema base --output base.schema.json

Use the schema for completion, hover help and validation in your editor: docs/editor.md.`;

/** Adds the schema command. */
export function addSchemaCommand(program: Command, hooks: ProgramHooks): void {
  const schema = runCommand(
    hooks,
    async () => (await import('../../commands/workflows/schema.ts')).runSchema,
  );
  program
    .command('schema')
    .description('Print the JSON Schema of workflow files, for editors')
    .addArgument(
      new Argument('[KIND]', 'Schema to print: workflow, or base for base.yaml')
        .choices(['workflow', 'base'])
        .default('workflow'),
    )
    .option('-o, --output <file>', 'Output file. Default: stdout.')
    .addHelpText('after', notes)
    .action((kind: SchemaInput['kind'], options: Omit<SchemaInput, 'kind'>, command: Command) =>
      schema({ kind, ...options }, command),
    );
}
