import type { ComponentChildren } from 'preact';

export interface TableProps {
  /** Headings of the columns; those of numbers are aligned as they are. */
  columns: readonly (string | { number: string })[];
  /** Name of a table without links and buttons: it gets the focus itself, so that the keys scroll it. */
  name?: string;
  /** The rows. */
  children: ComponentChildren;
}

/** Table that a narrow screen scrolls sideways. */
export function Table({ columns, name, children }: TableProps) {
  const focus = name === undefined ? {} : { tabIndex: 0, role: 'group', 'aria-label': name };
  return (
    <div class="wide card" {...(focus as object)}>
      <table>
        <thead>
          <tr>
            {columns.map((one) =>
              typeof one === 'string' ? (
                <th scope="col" key={one}>
                  {one}
                </th>
              ) : (
                <th scope="col" key={one.number} class="number">
                  {one.number}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
