const maxLength = 40;

/**
 * Returns a function that generates unique names for workflows: letters, digits, `_`, `.` and `-`, at most 40
 * characters.
 */
export function createNames(): (wanted: string) => string {
  const chooseFree = createUniqueNames((name, number) => {
    const ending = `-${number}`;
    return name.slice(0, maxLength - ending.length) + ending;
  });
  return (wanted) => chooseFree(toWorkflowName(wanted));
}

/**
 * Returns a function that generates unique strings by adding a number to a string that is taken.
 * @param addNumber returns a different string for each number
 */
export function createUniqueNames(
  addNumber: (text: string, number: number) => string,
): (wanted: string) => string {
  const usedNames = new Set<string>();
  /** The next number to try; starting from the beginning for many equal strings would take quadratic time. */
  const numbers = new Map<string, number>();
  return (wanted) => {
    let free = wanted;
    for (let number = numbers.get(wanted) ?? 2; usedNames.has(free); number += 1) {
      free = addNumber(wanted, number);
      numbers.set(wanted, number + 1);
    }
    usedNames.add(free);
    return free;
  };
}

/** Converts a string to the name of a workflow; `imported` if nothing is left. */
export function toWorkflowName(wanted: string): string {
  const name = wanted
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, maxLength);
  return name === '' ? 'imported' : name;
}
