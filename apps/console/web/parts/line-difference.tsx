const context = 2;
/** Beyond this number of comparisons, the parts that differ are shown as a whole. */
const maxCells = 4_000_000;

/** Mark of a line: of the old text alone, of the new one alone, of both, or lines that are left out. */
type Line = readonly [mark: '-' | '+' | ' ' | '…', text: string];

/** The lines in which two texts differ, with those around them. */
export function LineDifference({
  before,
  after,
  label,
}: Record<'before' | 'after' | 'label', string>) {
  const lines = shortened(differenceOf(before.split('\n'), after.split('\n')));
  if (lines.length === 0) return <p class="empty">The texts are the same.</p>;
  return (
    <pre class="answer difference" role="group" tabIndex={0} aria-label={label}>
      {lines.map(([mark, text], index) => {
        const line = `${mark === '-' ? '−' : mark} ${text}\n`;
        if (mark === '-') return <del key={index}>{line}</del>;
        if (mark === '+') return <ins key={index}>{line}</ins>;
        return line;
      })}
    </pre>
  );
}

function differenceOf(old: readonly string[], now: readonly string[]): Line[] {
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  const maxEnd = Math.min(old.length, now.length) - start;
  while (end < maxEnd && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const same = (one: string): Line => [' ', one];
  return [
    ...now.slice(0, start).map(same),
    ...changedLines(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...now.slice(now.length - end).map(same),
  ];
}

/** By the longest common subsequence. */
function changedLines(old: readonly string[], now: readonly string[]): Line[] {
  const gone = (one: string): Line => ['-', one];
  const added = (one: string): Line => ['+', one];
  if (old.length * now.length > maxCells) return [...old.map(gone), ...now.map(added)];
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < now.length) {
    if (old[row] === now[column]) {
      lines.push([' ', now[column] ?? '']);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) lines.push(gone(old[row++] ?? ''));
    else lines.push(added(now[column++] ?? ''));
  }
  return [...lines, ...old.slice(row).map(gone), ...now.slice(column).map(added)];
}

/** Without the lines that are far from every change. */
function shortened(lines: readonly Line[]): Line[] {
  const kept = new Set<number>();
  lines.forEach(([mark], index) => {
    if (mark === ' ') return;
    for (let near = index - context; near <= index + context; near += 1) kept.add(near);
  });
  if (kept.size === 0) return [];
  return lines.flatMap((line, index): Line[] => {
    if (kept.has(index)) return [line];
    return index === 0 || kept.has(index - 1) ? [['…', '']] : [];
  });
}
