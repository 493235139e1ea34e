import { fault } from './faults.js';

const maxLabelLength = 128;
const maxLabels = 100;

/** Checks labels and removes duplicates. @throws ApiError 400 if one is empty or too long, or there are too many */
export function checkLabels(labels: readonly string[] | null | undefined): string[] {
  const unique = [...new Set(labels ?? [])];
  if (unique.length > maxLabels)
    throw fault('/labels', `has ${unique.length} labels`, {
      remediation: `Send at most ${maxLabels}.`,
    });
  for (const [index, label] of unique.entries())
    if (label.trim() === '' || label.length > maxLabelLength)
      throw fault(`/labels/${index}`, 'is empty or too long', {
        value: label,
        remediation: `Use 1 to ${maxLabelLength} characters.`,
      });
  return unique;
}
