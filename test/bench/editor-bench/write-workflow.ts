/**
 * A graph of steps with realistic fields: stages of up to 40 parallel steps, each depending on one or two of
 * the previous stage.
 */
export function writeWorkflow(steps: number): string {
  const breadth = Math.max(2, Math.min(40, Math.round(Math.sqrt(steps))));
  const lines = ['# Made by the benchmark', 'name: bench', 'type: graph', 'steps:'];
  for (let index = 0; index < steps; index += 1) {
    const sources =
      index < breadth ? [] : [index - breadth, ...(index % 5 < 2 ? [other(index, breadth)] : [])];
    const depends = [...new Set(sources)].map((source) => `step-${source}`).join(', ');
    lines.push(
      `  - name: step-${index}`,
      `    description: "Step number ${index}"`,
      `    command: echo "hello ${index}"   # quick`,
      `    depends: [${depends}]`,
      '    env:',
      `      INDEX: ${index}`,
      '    retryPolicy:',
      '      limit: 2',
      '      intervalSec: 1',
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Another step of the previous stage. */
function other(index: number, breadth: number): number {
  const begin = (Math.floor(index / breadth) - 1) * breadth;
  return begin + ((index * 7) % breadth);
}
