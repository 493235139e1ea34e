import { fault } from './faults.js';

const longestLabel = 128;
const mostLabels = 100;

/** Labels as they are kept: each once. @throws ApiError 400 when one is empty or too long, or there are too many. */
export function checkLabels(labels: readonly string[] | null | undefined): string[] {
  const unique = [...new Set(labels ?? [])];
  if (unique.length > mostLabels)
    throw fault('/labels', `has ${unique.length} labels`, {
      remediation: `Send at most ${mostLabels}.`,
    });
  for (const [index, label] of unique.entries())
    if (label.trim() === '' || label.length > longestLabel)
      throw fault(`/labels/${index}`, 'is empty or too long', {
        value: label,
        remediation: `Use 1 to ${longestLabel} characters.`,
      });
  return unique;
}
