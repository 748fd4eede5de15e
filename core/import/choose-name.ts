const longest = 40;

/** Gives out names for workflows: letters, digits, `_`, `.` and `-`, at most 40, each only once. */
export function createNames(): (wanted: string) => string {
  const taken = new Set<string>();
  return (wanted) => {
    const name = fitName(wanted);
    let free = name;
    for (let number = 2; taken.has(free); number += 1) {
      const ending = `-${number}`;
      free = name.slice(0, longest - ending.length) + ending;
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
