import { isCollection, isNode, isScalar, type Node, visit, type YAMLError } from 'yaml';

/** A fault of YAML in words, at the place where it begins. */
export interface DescribedError {
  offset: number;
  message: string;
  hint?: string;
}

/** Errors of the parser by their text, as several have one code. */
const descriptions: readonly { pattern: RegExp; message: string; hint: string }[] = [
  {
    pattern: /^Unexpected .+ at node end/,
    message: 'there is text after the end of the value',
    hint: 'A text that begins with a quote ends at the next one: put the whole in the other quotes, or below a |.',
  },
  {
    pattern: /^(?:Not a YAML token|Block scalar header includes|Unexpected token in block scalar)/,
    message: 'the text is on the same line as its |',
    hint: 'Begin it on the next line, indented.',
  },
  {
    pattern: /^Invalid escape sequence/,
    message: 'the text in double quotes has an escape that YAML does not have',
    hint: "Put it in single quotes ('…'), or below a |: a backslash is itself there.",
  },
  {
    pattern: /^Comments must be separated/,
    message: 'the comment has no blank before its #',
    hint: 'Put a blank before it; a text with # in it is put in quotes.',
  },
  {
    pattern: /^Missing , /,
    message: 'a comma is missing in brackets',
    hint: 'Put one between the parts; a text with a comma, colon or bracket in it is put in quotes.',
  },
  {
    pattern: /^Unexpected (?:, in|empty item)/,
    message: 'a comma in brackets has nothing before it',
    hint: 'Remove it.',
  },
  {
    pattern: /^Missing space after :/,
    message: 'a colon has no blank behind it',
    hint: 'Write "key: value".',
  },
  {
    pattern: /^Sequence item without -/,
    message: 'the line of a list does not begin with a dash',
    hint: 'Every part of a list begins with "- ".',
  },
  {
    pattern: /^Unresolved tag/,
    message: 'the value begins with !, which is a tag of YAML',
    hint: 'Put the value in quotes.',
  },
];

/** Describes an error of the parser, whose words are those of the grammar, and whose places can be far behind the slip. */
export function describeYamlError(
  { code, message, pos: [at] }: YAMLError,
  source: string,
  contents: Node | null | undefined,
): DescribedError {
  const close = /(?:end with a |closing )(["'\]}])/.exec(message)?.[1];
  if (close !== undefined) {
    const open = { ']': '[', '}': '{' }[close] ?? close;
    const offset = openedAt(open, at, source, contents) ?? at;
    return {
      offset,
      message: `${open} is opened here and never closed`,
      hint: `Close it by ${close}.`,
    };
  }
  if (/^ *\t/.test(source.slice(source.lastIndexOf('\n', at - 1) + 1)))
    return {
      offset: at,
      message: 'the line is indented by a tab',
      hint: 'YAML is indented by blanks.',
    };
  const known = descriptions.find(({ pattern }) => pattern.test(message));
  if (known !== undefined) return { offset: at, message: known.message, hint: known.hint };
  switch (code) {
    case 'MULTILINE_IMPLICIT_KEY':
    case 'MISSING_CHAR':
      return {
        offset: at,
        message: 'the line has no key with a colon and a blank behind it',
        hint: 'A line of a mapping is "key: value"; a text of several lines stands below a |, indented.',
      };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return {
        offset: at,
        message: 'the line has two keys',
        hint: 'Put a text with a colon in it in quotes.',
      };
    case 'BAD_INDENT':
      return {
        offset: at,
        message: 'the line is indented by less or more than its neighbours',
        hint: 'Keys of one mapping begin at the same column.',
      };
    case 'DUPLICATE_KEY':
      return {
        offset: at,
        message: 'the key is given twice in this mapping',
        hint: 'Join the two.',
      };
    case 'BAD_ALIAS':
      return {
        offset: at,
        message: 'a value begins with *, which is an alias of YAML',
        hint: 'Put the value in quotes.',
      };
    case 'BAD_SCALAR_START':
      return {
        offset: at,
        message: `a value cannot begin with ${source.charAt(at)} here`,
        hint: 'Put the value in quotes.',
      };
    default:
      return { offset: at, message: `the YAML is malformed: ${message.split('\n')[0] ?? ''}` };
  }
}

/** Finds the innermost text or collection that begins with a sign and reaches to a place. */
function openedAt(
  open: string,
  at: number,
  source: string,
  contents: Node | null | undefined,
): number | undefined {
  let found: number | undefined;
  if (contents)
    visit(contents, (_key, node) => {
      if (!isNode(node) || !(isScalar(node) || isCollection(node))) return;
      const [from = 0] = node.range ?? [];
      if (from <= at && source.startsWith(open, from)) found = from;
    });
  return found;
}
