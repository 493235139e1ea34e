// ESLint rule for the language of the code: comments and messages in common engineering English, limits named max, min or default.
// It checks what a machine can check; CONTRIBUTING.md says the rest.

const opening = /^(What|Who|Whoever|Whose|Of)\b/;
/** @type {[RegExp, string][]} */
const phrases = [
  [/(?<!\bthere )\bis no (?!longer\b)/i, '"is no …": write "is not a …", "is missing" or "cannot"'],
  [/\bthere is none of\b/i, '"there is none of": write "is missing" or "does not exist"'],
  [/(?<![\w-])(he|his)(?![\w-])/i, '"he" and "his": write "the caller", "the member" or "they"'],
];
/** Beginnings of a description that leave out what is described. */
const fragment = /^(?:What|Who|Whoever|Whose|Of|How|Where|Which)\b/;

/** Returns advice on the phrases of a text that have a plainer form. */
export function findPhrases(text) {
  return phrases.filter(([pattern]) => pattern.test(text)).map(([, advice]) => advice);
}

/** Returns advice on a comment. */
export function findFaults(text) {
  const word = opening.exec(text)?.[1];
  if (word === undefined) return findPhrases(text);
  return [`starts with "${word}": start with what the thing is or does`, ...findPhrases(text)];
}

/** The same for a description of a field, which begins with a noun or says a whole sentence. */
export function findFragments(text) {
  const [word] = fragment.exec(text) ?? [];
  if (word === undefined || opening.test(text)) return findFaults(text);
  return [`starts with "${word}": start with what the field is`, ...findFaults(text)];
}

const limitName = /^(most|usual|longest|largest|deepest|least)(?=[A-Z]|$)/;
const limitWords = {
  most: 'max',
  longest: 'max',
  largest: 'max',
  deepest: 'max',
  least: 'min',
  usual: 'default',
};

/** Joins line comments on consecutive lines, because they are one text. */
function joinComments(sourceCode) {
  const texts = [];
  for (const comment of sourceCode.getAllComments()) {
    const last = texts.at(-1);
    const continues =
      last !== undefined &&
      comment.type === 'Line' &&
      last.type === 'Line' &&
      comment.loc.start.line === last.endLine + 1 &&
      comment.loc.start.column === last.column;
    if (continues) {
      last.text += ` ${comment.value.trim()}`;
      last.endLine = comment.loc.end.line;
    } else {
      const text = comment.value.replaceAll(/\s*\n\s*\*?\s*/g, ' ').replace(/^[*\s]+/, '');
      const { start, end } = comment.loc;
      texts.push({ comment, type: comment.type, text, endLine: end.line, column: start.column });
    }
  }
  return texts;
}

const rule = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      opening: 'The comment starts with "{{word}}": start with what the thing is or does.',
      phrase: 'Plain words: {{advice}}.',
      limit: '"{{name}}": name limits and defaults {{prefix}}*, with their unit.',
    },
  },
  create(context) {
    const checkPhrases = (target, text) => {
      for (const [pattern, advice] of phrases)
        if (pattern.test(text))
          context.report({ ...target, messageId: 'phrase', data: { advice } });
    };
    const checkMessage = (node, text) => {
      if (/\s/.test(text)) checkPhrases({ node }, text);
    };
    const checkName = (node) => {
      const word = node?.type === 'Identifier' && limitName.exec(node.name)?.[1];
      if (word)
        context.report({
          node,
          messageId: 'limit',
          data: { name: node.name, prefix: limitWords[word] },
        });
    };
    return {
      Program() {
        for (const { comment, text } of joinComments(context.sourceCode)) {
          const word = opening.exec(text)?.[1];
          if (word) context.report({ loc: comment.loc, messageId: 'opening', data: { word } });
          checkPhrases({ loc: comment.loc }, text);
        }
      },
      Literal(node) {
        if (typeof node.value === 'string') checkMessage(node, node.value);
      },
      TemplateElement(node) {
        checkMessage(node, node.value.raw);
      },
      VariableDeclarator({ id }) {
        checkName(id);
      },
      PropertyDefinition({ key }) {
        checkName(key);
      },
      TSPropertySignature({ key }) {
        checkName(key);
      },
      ':function > Identifier.params'(node) {
        checkName(node);
      },
      ':function > AssignmentPattern.params > Identifier.left'(node) {
        checkName(node);
      },
      'TSParameterProperty > Identifier'(node) {
        checkName(node);
      },
    };
  },
};

/** ESLint plugin with the rule `plain-words`. */
export const plainWords = { rules: { 'plain-words': rule } };
