import { describe, expect, test } from 'vitest';
import { selectedNames, selectSteps } from '../../../../core/spec/plan/graph.ts';
import { loadSpec } from '../../../../core/spec/load.ts';

/** `a` and `b` lead to `c`, that to `d`; `e` is independent. */
const text = `
name: etl
type: graph
mailOn: {failure: true}
handlerOn: {exit: {command: "true"}, init: {command: "true"}}
steps:
  - {name: d, command: "true", depends: [c], mailOnError: true}
  - {name: a, command: "true"}
  - {name: b, command: "true", depends: [a]}
  - {name: c, command: "true", depends: [a, b]}
  - {name: e, command: "true"}
`;
const [workflow] = loadSpec({ text }).workflows;

const dependsOf = (names: readonly string[]): Record<string, readonly string[]> =>
  Object.fromEntries(selectSteps(workflow!, names).steps.map(({ name, depends }) => [name, depends]));

describe('step selection', () => {
  test('contains the named steps, in file order', () => {
    expect(selectedNames(workflow!, { steps: ['c', 'd', 'c'] })).toEqual(['d', 'c']);
  });

  test('contains a step and all its dependencies', () => {
    expect(selectedNames(workflow!, { upTo: 'c' })).toEqual(['a', 'b', 'c']);
    expect(selectedNames(workflow!, { upTo: 'e' })).toEqual(['e']);
  });

  test('is rejected with an unknown step', () => {
    expect(() => selectedNames(workflow!, { upTo: 'x' })).toThrow('etl has no step "x". Did you mean "d"?');
    const long = { name: 'etl', steps: [{ ...workflow!.steps[0]!, name: 'extract' }] };
    expect(() => selectedNames(long, { steps: ['extrcat'] })).toThrow('Did you mean "extract"?');
  });

  test('keeps the order where steps in between are omitted', () => {
    expect(dependsOf(['a', 'b', 'c', 'd', 'e'])).toEqual({ d: ['c'], a: [], b: ['a'], c: ['a', 'b'], e: [] });
    expect(dependsOf(['a', 'd'])).toEqual({ d: ['a'], a: [] });
    expect(dependsOf(['d', 'b', 'e'])).toEqual({ d: ['b'], b: [], e: [] });
    expect(dependsOf(['d'])).toEqual({ d: [] });
  });

  test('has no handlers and no mails', () => {
    expect(workflow!.handlers.init).toBeDefined();
    const part = selectSteps(workflow!, ['d']);
    expect([part.handlers, part.mailOn, part.steps[0]!.mailOnError]).toEqual([{}, undefined, undefined]);
  });
});
