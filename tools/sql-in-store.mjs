// ESLint rule for the only way to a tenant's tables: statements are named functions of libs/store/src/queries, whose transaction has the scope.
// eslint.config.js lists the rooms that have statements of their own, with the reasons.

/** The beginnings of statements. Those that English sentences begin with as well are told by the words that follow. */
const statement =
  /^\s*(?:select\s+(?:[\s\S]*\sfrom\s|[\w.]+\(|\d)|insert\s+into\s|update\s+\S+(?:\s+(?:as\s+)?\w+)?\s+set\s|delete\s+from\s|with\s+(?:recursive\s+)?\w+\s+as\s+(?:(?:not\s+)?materialized\s+)?\(|truncate\s|set\s+local\s)/;
const anyCase = (text) =>
  statement.test(text) || (/^\s*[A-Z]+\s/.test(text) && statement.test(text.toLowerCase()));

const rule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      statement:
        'SQL outside the store: name the statement in libs/store/src/queries, and call it by its name.',
    },
  },
  create(context) {
    const check = (node, text) => {
      if (anyCase(text)) context.report({ node, messageId: 'statement' });
    };
    return {
      Literal(node) {
        if (typeof node.value === 'string') check(node, node.value);
      },
      TemplateLiteral(node) {
        check(node, node.quasis.map(({ value }) => value.raw).join('x'));
      },
      'MemberExpression > Identifier.property[name=/^createQueryBuilder$/]'(node) {
        context.report({ node, messageId: 'statement' });
      },
    };
  },
};

/** ESLint plugin with the rule `sql-in-store`. */
export const sqlInStore = { rules: { 'sql-in-store': rule } };
