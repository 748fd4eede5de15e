const longest = 40;

/** Gives out names for workflows: letters, digits, `_`, `.` and `-`, at most 40, each only once. */
export function createNames(): (wanted: string) => string {
  const chooseFree = createFreeTexts((name, number) => {
    const ending = `-${number}`;
    return name.slice(0, longest - ending.length) + ending;
  });
  return (wanted) => chooseFree(fitName(wanted));
}

/**
 * Gives out texts, each only once: one that is taken gets a number.
 * @param addNumber gives another text for each number
 */
export function createFreeTexts(
  addNumber: (text: string, number: number) => string,
): (wanted: string) => string {
  const taken = new Set<string>();
  /** The number to try next; from the beginning each time, many equal texts would take the square of their number. */
  const numbers = new Map<string, number>();
  return (wanted) => {
    let free = wanted;
    for (let number = numbers.get(wanted) ?? 2; taken.has(free); number += 1) {
      free = addNumber(wanted, number);
      numbers.set(wanted, number + 1);
    }
    taken.add(free);
    return free;
  };
}

/** What is left of a text as the name of a workflow; `imported` when nothing is. */
export function fitName(wanted: string): string {
  const name = wanted
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, longest);
  return name === '' ? 'imported' : name;
}
