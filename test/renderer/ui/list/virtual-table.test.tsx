import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { TableSection } from '../../../../renderer/ui/list/table-row.tsx';
import { createRowReuser, useSelection } from '../../../../renderer/ui/list/row-state.ts';
import { VirtualTable, type Column } from '../../../../renderer/ui/list/virtual-table.tsx';

interface Job {
  readonly name: string;
  readonly marks: readonly number[];
}

const keyOf = ({ name }: Job): string => name;
const jobs = (count: number): Job[] =>
  Array.from({ length: count }, (_, index) => ({ name: `job ${index}`, marks: [index] }));
const press = (key: string): boolean => fireEvent.keyDown(document.body, { key });

describe('virtual table', () => {
  it('renders only the changed row again, in the same place', () => {
    const cell = vi.fn<(job: Job) => string>(({ name }: Job) => name);
    const columns: readonly Column<Job>[] = [{ id: 'name', header: 'Name', cell }];
    const keep = createRowReuser(keyOf);
    const drawn = (rows: readonly Job[]): React.JSX.Element => (
      <VirtualTable label="Jobs" rows={keep(rows)} columns={columns} getKey={keyOf} getName={keyOf} />
    );
    const view = render(drawn(jobs(40)));
    expect(cell).toHaveBeenCalledTimes(40);
    const before = screen.getAllByRole('row');

    cell.mockClear();
    // All objects are new, as after every response of the engine; one has different content.
    view.rerender(drawn(jobs(40).with(7, { name: 'job 7', marks: [7, 8] })));
    expect(cell.mock.calls).toEqual([[{ name: 'job 7', marks: [7, 8] }]]);
    expect(screen.getAllByRole('row')).toEqual(before);

    cell.mockClear();
    press('j');
    expect(cell).toHaveBeenCalledTimes(1);
    press('j');
    // The row that loses focus and the one that gets it.
    expect(cell).toHaveBeenCalledTimes(3);
  });

  it('has sections that can be collapsed, selected and navigated by keyboard', () => {
    const opened = vi.fn<(job: Job) => void>();
    render(<Divided onOpen={opened} />);
    const names = (): (string | null)[] =>
      screen
        .getAllByRole('row')
        .slice(1)
        .map((row) => row.textContent);
    expect(names()).toEqual(['early2', 'job 0', 'job 1', 'late1', 'job 2']);
    press('j');
    press('x');
    expect(screen.getByRole('checkbox', { name: 'Select all of early' })).toHaveProperty('checked', true);
    expect(screen.getByText('selected: job 0, job 1')).toBeTruthy();
    press('ArrowLeft');
    expect(names()).toEqual(['early2', 'late1', 'job 2']);
    expect(screen.getByRole('button', { name: /early/ }).getAttribute('aria-expanded')).toBe('false');
    press('ArrowRight');
    press('j');
    press('Enter');
    expect(opened).toHaveBeenCalledWith({ name: 'job 0', marks: [0] });
    // From a row to the header of its section, which is then collapsed.
    press('ArrowLeft');
    press('Enter');
    expect(names()).toEqual(['early2', 'late1', 'job 2']);
    fireEvent.click(screen.getByRole('button', { name: /early/ }));
    expect(names()).toHaveLength(5);
  });
});

function Divided({ onOpen }: { readonly onOpen: (job: Job) => void }) {
  const [all] = useState(() => jobs(3));
  const [folded, setFolded] = useState<readonly string[]>([]);
  const [keys] = useState(() => all.map(keyOf));
  const selection = useSelection(keys);
  const sections: readonly TableSection<Job>[] = [
    { id: 'a', name: 'early', rows: all.slice(0, 2), isFolded: folded.includes('a') },
    { id: 'b', name: 'late', rows: all.slice(2), isFolded: folded.includes('b') },
  ];
  return (
    <>
      <p>selected: {[...selection.keys].join(', ')}</p>
      <VirtualTable
        label="Jobs"
        rows={all}
        sections={sections}
        onFold={(id, isFolded) =>
          setFolded(isFolded ? [...folded, id] : folded.filter((other) => other !== id))
        }
        columns={[{ id: 'name', header: 'Name', cell: ({ name }) => name }]}
        getKey={keyOf}
        getName={keyOf}
        onOpen={onOpen}
        selection={selection}
      />
    </>
  );
}
