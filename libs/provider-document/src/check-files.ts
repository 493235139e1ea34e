import type { Operation } from '#contract';
import type { DocumentReader, Path } from './document-reader.js';
import type { OperationSource, StepSource } from './source.js';

/** True if the step sends the uploaded file. */
export function sendsFile({ encoding, part }: StepSource): boolean {
  return encoding === 'stream' || part !== undefined;
}

export function answersFile({ steps }: OperationSource): boolean {
  return steps.some(({ answer }) => answer === 'stream');
}

/** Checks that an operation passes files if the contract has them, and otherwise not. @param known undefined for reads */
export function checkFiles(
  reader: DocumentReader,
  place: Path,
  source: OperationSource,
  known: Operation | undefined,
): void {
  checkAnswer(reader, place, source, known?.response.kind === 'binary');
  checkUpload(reader, place, source, known?.request === 'multipart');
}

function checkAnswer(
  reader: DocumentReader,
  place: Path,
  { steps, rows, record, then, file }: OperationSource,
  isFile: boolean,
): void {
  const at = steps.findIndex(({ answer }) => answer === 'stream');
  if (at < 0) {
    if (isFile)
      reader.fault(
        place,
        'the operation answers with a file, and none of its steps has one',
        'Add answer: stream to its last step.',
      );
    if (file !== undefined)
      reader.keyFault([...place, 'file'], 'the operation answers with no file');
    return;
  }
  const step = [...place, 'steps', at];
  if (!isFile)
    reader.fault([...step, 'answer'], 'the operation does not answer with a file', 'Use binary.');
  if (at < steps.length - 1)
    reader.fault(step, 'only the last step can hand its answer on as the file');
  checkOnce(reader, step, steps[at], 'its answer is handed on');
  if (steps[at]?.accept !== undefined)
    reader.fault([...step, 'accept'], 'an answer that is an error cannot be handed on as the file');
  if ((rows ?? record ?? then) !== undefined)
    reader.fault(place, 'an operation that hands a file on has no rows, record or then');
}

function checkUpload(
  reader: DocumentReader,
  place: Path,
  { steps }: OperationSource,
  isFile: boolean,
): void {
  const sending = steps.flatMap((step, index) => (sendsFile(step) ? [index] : []));
  if (isFile && sending.length === 0)
    reader.fault(
      place,
      'no step sends the file of the request',
      'Add encoding: stream to the step that sends it, or encoding: multipart and part: the name it has there.',
    );
  if (sending.length > 1)
    reader.fault(place, 'the file of the request can be sent by one step only');
  for (const index of sending) {
    const step = [...place, 'steps', index];
    const source = steps[index];
    if (!isFile) reader.fault(step, 'the request of this operation brings no file');
    checkOnce(reader, step, source, 'the file can be sent once');
    if (source?.part !== undefined && source.encoding !== 'multipart')
      reader.fault(
        [...step, 'part'],
        'only a multipart body has parts',
        'Add encoding: multipart.',
      );
    if (source?.function !== undefined) continue;
    if (source?.encoding === 'stream' && source.body !== undefined)
      reader.keyFault([...step, 'body'], 'the body of the step is the file');
    if (['GET', 'DELETE'].includes(source?.method ?? 'GET'))
      reader.fault(step, 'the step that sends the file must have the method POST, PUT or PATCH');
  }
}

function checkOnce(
  reader: DocumentReader,
  place: Path,
  step: StepSource | undefined,
  why: string,
): void {
  for (const key of ['each', 'poll'] as const)
    if (step?.[key] !== undefined)
      reader.keyFault([...place, key], `the step cannot be repeated: ${why}`);
}
